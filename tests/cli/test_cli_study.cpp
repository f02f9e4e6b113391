// What gantry-cli study computes and writes, alone and for all studies in one report.
#include "tests/cli/command.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

class TestCliStudy : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

 private slots:
  void everyStudyRuns() {
    const Answer all = cli("study");
    EXPECT_DONE(all);
    QVERIFY(all.output.contains("sart-against-sirt: "));  // they come with the program
    // Whole matrices are counted at their full size: of the smallest alone.
    const QMap<QString, QString> more = {{"cuart", " --sizes 512"},
                                         {"matrix-cbct", " --sizes 256"},
                                         {"nonzeros", " --sizes 256"},
                                         {"tensor-cores", " --sizes 64"}};
    for (const QString& line : all.output.split('\n', Qt::SkipEmptyParts)) {
      const QString name = line.section(':', 0, 0);
      const Answer answer =
          cli("study " + name + " --iterations 1 --scale 0.03" + more.value(name));
      QVERIFY2(answer.code == 0, answer.text().constData());
    }
  }

  /// The part belongs to one study; the others are left out with a word.
  void allStudiesMakeOneReport() {
    const Answer answer = cli("study all --part profiles --scale 0.03 --out all");
    QVERIFY2(answer.code == 0, answer.text().constData());
    QVERIFY(answer.output.contains("cuart: ") && answer.output.contains("symmetry: left out"));
    QVERIFY(answer.errors.contains("of 9, cuart"));
    QVERIFY(QFile::exists(folder_.filePath("all/cuart/cuart.json")));
    QVERIFY(!QFile::exists(folder_.filePath("all/symmetry")));
    QFile file(folder_.filePath("all/report.html"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray report = file.readAll();
    QVERIFY(report.contains("fewest nonzeros of a ray") && report.contains("<svg"));
    QVERIFY(report.contains("Left out: symmetry has no parts"));
    // The same report from the results that were kept; of several folders, the later one's.
    const auto entries = [](const QByteArray& page) {
      const qsizetype table = page.indexOf("<caption>Print and here");
      return page.mid(table, page.indexOf("</table>", table) - table);
    };
    const Answer again = cli("study all --from all,all/cuart --out again");
    QVERIFY2(again.code == 0, again.text().constData());
    QFile kept(folder_.filePath("again/report.html"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray put_together = kept.readAll();
    QCOMPARE(entries(put_together), entries(report));
    QVERIFY(put_together.contains("Computed on "));
    const Answer nothing = cli("study all --from . --out nothing");
    QCOMPARE(nothing.code, 1);
    QVERIFY(nothing.errors.contains("holds no results of studies"));
    const Answer none = cli("study all --part profils --out none");
    QCOMPARE(none.code, 2);
    QVERIFY(none.errors.contains("no study has what is chosen"));
  }

  /// The devices of a report are those of the results, not those of the computer that puts them
  /// together.
  void keptResultsNameTheirDevices() {
    EXPECT_DONE(cli("study symmetry --out far"));
    const QString path = folder_.filePath("far/symmetry.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject result = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    result["devices"] = QJsonArray{"A large GPU"};
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(result).toJson()) > 0);
    file.close();
    EXPECT_DONE(cli("study all --from far --out near"));
    QFile report(folder_.filePath("near/report.html"));
    QVERIFY(report.open(QIODevice::ReadOnly));
    QVERIFY(report.readAll().contains(". Devices: A large GPU.</p>"));
  }
};

GANTRY_TEST(TestCliStudy)
#include "test_cli_study.moc"
