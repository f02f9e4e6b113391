// --deidentify of the commands that write DICOM: nothing of the source in any file that they leave.
#include "tests/cli/command.hpp"
#include "tests/core/io/dicom/marked_series.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

class TestCliDeidentify : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString path(const QString& name) const { return folder_.filePath(name); }
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  QStringList left() const {
    return QDir(folder_.path())
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
  }

 private slots:
  void initTestCase() { save_marked_series(path("QZsource")); }

  void nothingOfTheSourceIsLeft() {
    Answer answer = cli("convert QZsource converted --deidentify");
    QVERIFY2(answer.code == 0 && answer.output.contains(", de-identified"),
             answer.text().constData());
    answer =
        cli("simulate --volume QZsource --slice 1 --out s.scan.json --truth truth "
            "--deidentify");
    QVERIFY2(answer.code == 0, answer.text().constData());
    answer =
        cli("reconstruct s.scan.json --solver sirt --iterations 2 --grid 4,4 --voxel 0.5 "
            "--out made --deidentify");
    QVERIFY2(answer.code == 0 && answer.output.contains(", de-identified"),
             answer.text().constData());
    QCOMPARE(left(), QStringList({"QZsource", "converted", "made", "s.f32", "s.scan.json",
                                  "truth"}));  // no file beside that could say more
    for (const QString& name : {QString("converted"), QString("truth"), QString("made")})
      QCOMPARE(marked_files(path(name)), QStringList());
    // Without the switch each of them holds a mark: the texts of a scan name its source.
    EXPECT_DONE(
        cli("reconstruct s.scan.json --solver sirt --iterations 2 --grid 4,4 --voxel 0.5 "
            "--out plain"));
    QCOMPARE(marked_files(path("plain")).size(), 1);
  }

  void otherFormatsAreRefused_data() {
    QTest::addColumn<QString>("arguments");
    QTest::newRow("convert") << "convert QZsource new.mha --deidentify";
    QTest::newRow("reconstruct")
        << "reconstruct s.scan.json --out new.mha --deidentify --iterations 1";
    QTest::newRow("simulate")
        << "simulate --volume QZsource --out n.scan.json --truth new.mha --deidentify";
  }
  void otherFormatsAreRefused() {
    QFETCH(QString, arguments);
    const QStringList before = left();
    const Answer answer = cli(arguments);
    QCOMPARE(answer.code, 2);
    QCOMPARE(answer.error_lines(),
             QStringList("gantry-cli: new.mha: only DICOM is de-identified; name a folder for a "
                         "DICOM series, or leave out the de-identification"));
    QCOMPARE(left(), before);
  }

  void aTruthIsNeeded() {
    const Answer answer = cli("simulate --volume QZsource --out n.scan.json --deidentify");
    QCOMPARE(answer.code, 2);
    QVERIFY2(answer.errors.contains("--deidentify requires --truth"), answer.text().constData());
  }
};

GANTRY_TEST(TestCliDeidentify)
#include "test_cli_deidentify.moc"
