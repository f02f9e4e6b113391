// What gantry-cli list prints, and that the table of the README names all of it.
#include "core/base/error.hpp"
#include "core/catalog/catalog.hpp"
#include "core/centring/centre_methods.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"
#include "tests/cli/command.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Labels of the entries of a registry.
template <class Registry>
QStringList labels_of(const Registry& registry) {
  QStringList labels;
  for (const auto& entry : registry.entries()) labels << QString::fromStdString(entry.label);
  return labels;
}

QStringList keys_of_centre_methods() {
  QStringList keys;
  for (const CentreMethod& method : centre_methods()) keys << QString::fromStdString(method.key);
  return keys;
}

/// Labels of all entries, by the row of the README's table that has to name them.
QMap<QString, QStringList> labels() {
  Catalog catalog;
  add_core(catalog);
  return {{"projectors", labels_of(catalog.projectors)},
          {"stored matrices", labels_of(catalog.matrix_formats)},
          {"solvers", labels_of(catalog.solvers)},
          {"priors", labels_of(catalog.priors)},
          {"phantoms", labels_of(catalog.phantoms)},
          {"metrics", labels_of(catalog.metrics)},
          {"corrections", labels_of(catalog.corrections)},
          {"axis of rotation", keys_of_centre_methods()},
          {"volume formats", labels_of(volume_formats())},
          {"projection formats", labels_of(projection_formats())},
          {"projections to import", labels_of(import_formats())}};
}

/// Returns the row of the README's table with this title.
QString row_of_readme(const QString& title) {
  QFile readme(QStringLiteral(GANTRY_SOURCE_DIR "/README.md"));
  if (!readme.open(QIODevice::ReadOnly)) return {};
  for (const QString& line : QString::fromUtf8(readme.readAll()).split('\n'))
    if (line.startsWith("| " + title + " |")) return line;
  return {};
}

/// Returns whether a text holds a label as words of its own, in upper or lower case.
bool names(const QString& text, const QString& label) {
  const QRegularExpression whole("(?<![\\w-])" + QRegularExpression::escape(label) + "(?![\\w-])",
                                 QRegularExpression::CaseInsensitiveOption);
  return text.contains(whole);
}

}  // namespace

class TestCliList : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

  template <class Format>
  void check_formats(const char* kind, const FormatRegistry<Format>& registry) const {
    const Answer answer = cli(QString("list ") + kind);
    EXPECT_DONE(answer);
    for (const Format& format : registry.entries()) {
      const QRegularExpression line(
          QString("\n  %1 +%2 \\(.*\\) \\[%3\\]\n")
              .arg(QString::fromStdString(format.key),
                   QRegularExpression::escape(QString::fromStdString(format.label)),
                   format.read && format.write ? "read, write" : ".*"));
      QVERIFY2(answer.output.contains(line), answer.text().constData());
      for (const std::string& extension : format.extensions)
        QVERIFY2(answer.output.contains(QString::fromStdString(extension)), extension.c_str());
    }
  }

 private slots:
  void fileFormatsAreListed() {
    check_formats("volume-formats", volume_formats());
    check_formats("projection-formats", projection_formats());
  }

  void correctionsAreListedWithTheirParameters() {
    const Answer answer = cli("list corrections");
    EXPECT_DONE(answer);
    for (const char* word : {"  rings ", "snr = 3", "small_window = 21 columns",
                             "keep_symmetric = true", "  bad_cells "})
      QVERIFY2(answer.output.contains(word), answer.text().constData());
    const Catalog none;
    EXPECT_THROWS(UsageError, none.corrections.at("rings"),
                  "unknown correction \"rings\"; there is none yet");
  }

  /// Choices that only repeat a published comparison are listed on request, with what they do.
  void choicesForStudiesAreListedOnRequest() {
    const Answer usual = cli("list formats"), all = cli("list formats --all");
    EXPECT_DONE(usual);
    EXPECT_DONE(all);
    for (const char* word : {"unsafe", "colouring", "fused", "blocking = ", "pseudo-morton"}) {
      QVERIFY2(!usual.output.contains(word, Qt::CaseInsensitive), word);
      QVERIFY2(all.output.contains(word, Qt::CaseInsensitive), word);
    }
    QVERIFY(usual.output.contains("transpose = gather  (gather, atomics)"));
    QVERIFY(!all.output.contains(".."));
  }

  void aWrongKindIsToldTheRightOnes() {
    const Answer answer = cli("list wishes");
    QCOMPARE(answer.code, 2);
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains("volume-formats") && answer.errors.contains("corrections"),
             answer.text().constData());
  }

  void theReadmeNamesEveryEntry_data() {
    QTest::addColumn<QStringList>("entries");
    const auto all = labels();
    for (const auto& [title, entries] : all.asKeyValueRange())
      QTest::newRow(qPrintable(title)) << entries;
  }
  void theReadmeNamesEveryEntry() {
    QFETCH(QStringList, entries);
    const QString row = row_of_readme(QTest::currentDataTag());
    QVERIFY2(!row.isEmpty(), "the table of README.md lacks this row");
    for (const QString& label : entries)
      QVERIFY2(names(row, label), qPrintable("the row lacks: " + label));
  }
};

GANTRY_TEST(TestCliList)
#include "test_cli_list.moc"
