// Scanner presets, the symmetry of a scan, and scans with free poses, on the command line.
#include "tests/cli/command.hpp"
#include "tests/support/test_program.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

class TestCliGeometry : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }

  void put(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }

 private slots:
  void presetsAreListed() {
    const Answer answer = cli("list presets");
    EXPECT_DONE(answer);
    for (const char* key : {"head_fan", "ge_ct750 ", "ge_ct750_symmetric", "cuart", "p3_256",
                            "p4_512", "cumbir_cone", "helical"})
      QVERIFY2(answer.output.contains("  " + QString(key)), key);
    QVERIFY(answer.output.contains("cone arc, 984 views x 888 x 64 cells of 1.024 mm"));
  }

  void presetsAreSimulated() {
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan --preset p3_256 --subrays 1 --out a.scan.json "
            "--truth a.mha"));
    const Answer scan = cli("info a.scan.json");
    EXPECT_DONE(scan);
    QVERIFY2(scan.output.contains("parallel, 180 views x 256 cells of 1.59 mm"),
             scan.text().constData());
    QVERIFY2(scan.output.contains("8 of 8 elements hold; 46 of 180 views need storing (5888 of "
                                  "46080 rays)"),
             scan.text().constData());
    const Answer truth = cli("info a.mha");
    QVERIFY2(truth.output.contains("volume: 256 x 256 of 1 mm"), truth.text().constData());
  }

  void symmetryDependsOnTheGrid() {
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan --preset p3_256 --subrays 1 --out b.scan.json"));
    const Answer answer = cli("info b.scan.json --grid 60,50 --voxel 2");
    EXPECT_DONE(answer);
    QVERIFY2(answer.output.contains("on a grid of 60 x 50 of 2 mm: 4 of 8 elements hold"),
             answer.text().constData());
    static const QRegularExpression line(
        "rotation by 90° +no: the image has 60 x 50 pixels: a rotation by 90° does not map it onto "
        "itself");
    QVERIFY2(answer.output.contains(line), answer.text().constData());
  }

  void wrongPresetsAreNamed() {
    const Answer unknown = cli("simulate --phantom shepp_logan --preset ge --out c.scan.json");
    QCOMPARE(unknown.code, 2);
    QCOMPARE(unknown.error_lines().size(), 1);
    QVERIFY(unknown.errors.contains("unknown preset \"ge\"; use one of head_fan, ge_ct750"));
    put("g.json", "{}");
    const Answer both =
        cli("simulate --phantom shepp_logan --preset cuart --geometry g.json --out c.scan.json");
    QCOMPARE(both.code, 2);
    QVERIFY(both.errors.contains("give either --geometry or --preset"));
  }

  void freePosesAreReadAndReconstructed() {
    put("poses.json", R"({"beam": "cone", "trajectory": "poses", "detector_columns": 24,
      "detector_rows": 1, "poses": [
      {"source_mm": [0, -900, 0], "detector_mm": [0, 450, 0], "u_mm": [18, 0, 0], "v_mm": [0, 0, 9]},
      {"source_mm": [900, 0, 0], "detector_mm": [-450, 0, 0], "u_mm": [0, 18, 0], "v_mm": [0, 0, 9]},
      {"source_mm": [0, 910, 0], "detector_mm": [3, -450, 0], "u_mm": [-18, 1, 0], "v_mm": [0, 0, 9]}
      ]})");
    EXPECT_DONE(cli("simulate --phantom shepp_logan --geometry poses.json --out p.scan.json"));
    const Answer info = cli("info p.scan.json");
    EXPECT_DONE(info);
    QVERIFY2(info.output.contains("cone flat free poses, 3 views x 24 cells of 18.01 mm"),
             info.text().constData());
    QVERIFY2(info.output.contains("no: the views are free poses, not positions on a circle"),
             info.text().constData());
    for (const QString solver : {"sirt", "fdk"}) {
      const Answer refused =
          cli("reconstruct p.scan.json --projector distance_driven --iterations 1 --out p.mha "
              "--solver " +
              solver);
      QCOMPARE(refused.code, 2);
      QCOMPARE(refused.error_lines().size(), 1);
      QVERIFY2(refused.errors.contains("not free poses; use one of ") &&
                   refused.errors.contains("siddon") && !refused.errors.contains("voxel_driven"),
               refused.text().constData());
    }
    const Answer done =
        cli("reconstruct p.scan.json --projector siddon --iterations 2 --out p.mha");
    QVERIFY2(done.code == 0, done.text().constData());
    const Answer chosen = cli("reconstruct p.scan.json --iterations 2 --out c.mha");
    QVERIFY2(chosen.code == 0 && chosen.output.contains("assumed projector: siddon"),
             chosen.text().constData());
  }
};

GANTRY_TEST(TestCliGeometry)
#include "test_cli_geometry.moc"
