// A thread mapping from the command line: written, checked, counted, and refused for another scan.
#include "tests/cli/command.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace gantry::test;

namespace {

const QByteArray fan = R"({"beam": "fan", "detector": "flat", "trajectory": "circular",
 "source_to_isocenter_mm": 200, "source_to_detector_mm": 300, "detector_columns": COLUMNS,
 "detector_rows": 1, "column_pitch_mm": 2, "row_pitch_mm": 2,
 "view_angles_deg": {"first": 3, "step": 17, "count": 9}})";

/// A table as CSV: fields by row and column heading. Comments are left out.
using Rows = QList<QMap<QString, QString>>;
Rows rows_of(const QString& path) {
  Rows rows;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return rows;
  QStringList headings;
  for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)) {
    if (line.startsWith('#')) continue;
    const QStringList fields = line.split(',');
    if (headings.isEmpty()) {
      headings = fields;
      continue;
    }
    rows.emplace_back();
    for (qsizetype n = 0; n < headings.size(); ++n) rows.back()[headings[n]] = fields.value(n);
  }
  return rows;
}

}  // namespace

class TestCliMapping : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  void put(const QString& name, const QByteArray& bytes) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
  }
  /// Checks that a call is refused with one line.
  void refused(const QString& arguments, int code, const char* why) const {
    const Answer answer = cli(arguments);
    QVERIFY2(answer.code == code, answer.text().constData());
    QCOMPARE(answer.error_lines().size(), 1);
    QVERIFY2(answer.errors.contains(why), answer.text().constData());
  }

 private slots:
  void initTestCase() {
    put("wide.json", QByteArray(fan).replace("COLUMNS", "96"));
    put("narrow.json", QByteArray(fan).replace("COLUMNS", "20"));
  }

  void writtenCheckedAndCounted() {
    const QString of = "mapping wide.json --projector siddon --grid 48,48 ";
    const Answer made = cli(of + "--out wide.gmap --csv made.csv");
    EXPECT_DONE(made);
    QVERIFY2(made.output.contains("counted: all warps"), made.text().constData());
    const Answer checked = cli(of + "--check wide.gmap --csv checked.csv");
    EXPECT_DONE(checked);
    const Rows rows = rows_of(folder_.filePath("made.csv"));
    QVERIFY(rows == rows_of(folder_.filePath("checked.csv")));
    QCOMPARE(rows.size(), 8);  // four orders, each in steps along the walk and by layers
    const QString accesses = rows[0]["accesses"];
    QVERIFY(accesses.toInt() > 10000);
    for (const auto& row : rows) {
      const bool mapped = row["order"] == "mapped", walk = row["steps"] == "walk";
      QVERIFY2(row["warps"].toInt() >= 27, qPrintable(row["warps"]));
      QCOMPARE(row["idle lanes"].toInt(), 32 * row["warps"].toInt() - 9 * 96);
      if (walk) QCOMPARE(row["accesses"], accesses);
      if (walk) QCOMPARE(row["in common"] == "0", mapped);
      if (mapped && walk) QCOMPARE(row["collisions"], QString("0"));
      QCOMPARE(row["colours"].isEmpty(), !mapped);
      const double sectors = row["sectors [32 B]"].toDouble(),
                   lines = row["lines [128 B]"].toDouble(), requests = row["requests"].toDouble();
      QVERIFY(sectors >= lines && lines >= requests && requests > 0);
      QVERIFY(std::abs(row["sectors/request"].toDouble() - sectors / requests) < 1e-9);
    }
  }

  /// Every third warp is counted, and said to be.
  void partOfTheWarps() {
    const Answer part =
        cli("mapping wide.json --projector siddon --grid 48,48 --stride 3 --csv "
            "part.csv --out part.gmap");
    EXPECT_DONE(part);
    QVERIFY2(part.output.contains("counted: every 3rd warp"), part.text().constData());
    const int all = rows_of(folder_.filePath("made.csv"))[0]["accesses"].toInt(),
              third = rows_of(folder_.filePath("part.csv"))[0]["accesses"].toInt();
    QVERIFY(3 * third > all / 2 && 3 * third < 2 * all);
  }

  /// Views of 20 cells, fewer than a warp; other weights, which no kernel traces by layers.
  void smallViewsAndOtherProjectors() {
    EXPECT_DONE(cli("mapping narrow.json --grid 16,16 --no-metis --out narrow.gmap --csv n.csv"));
    const Rows rows = rows_of(folder_.filePath("n.csv"));
    QCOMPARE(rows.size(), 4);
    QCOMPARE(rows[3]["order"], QString("mapped"));
    QVERIFY(rows[3]["warps"].toInt() >= 9);
    EXPECT_DONE(cli("mapping narrow.json --grid 16,16 --no-metis --check narrow.gmap"));
  }

  void badInputIsRefused() {
    const QString of = "mapping wide.json --projector siddon --grid 48,48 ";
    refused(of, 2, "add --out FILE or --check FILE");
    refused(of + "--check wide.json", 1, "is not a thread mapping of Gantry");
    refused(of + "--check none.gmap", 1, "cannot be read");
    refused("mapping wide.json --projector siddon --grid 40,40 --check wide.gmap", 1,
            "for another grid");
    refused("mapping narrow.json --projector siddon --grid 48,48 --check wide.gmap", 1,
            "of another scan");
    refused("mapping wide.json --projector joseph --grid 48,48 --check wide.gmap", 1,
            "for another projector");
    refused(of + "--out wide.json", 2, "is where SCAN is");
    refused(of + "--out no_folder/wide.gmap", 1, "no_folder");
    refused(of + "--set solver.relaxation=1 --out other.gmap", 2, "is no setting");
    QFile file(folder_.filePath("wide.gmap"));
    QVERIFY(file.resize(file.size() - 4));
    refused(of + "--check wide.gmap", 1, "cut short");
  }
};

GANTRY_TEST(TestCliMapping)
#include "test_cli_mapping.moc"
