// A helical scan from simulation to slices: rebinned by hand, or by an experiment.
#include "tests/cli/command.hpp"
#include "tests/cli/plain_volume.hpp"
#include "tests/support/test_program.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace gantry::test;

namespace {

const QByteArray helix = R"({"beam": "cone", "detector": "flat", "trajectory": "helical",
 "source_to_isocenter_mm": 200, "source_to_detector_mm": 300, "detector_columns": 40,
 "detector_rows": 8, "column_pitch_mm": 3, "row_pitch_mm": 3, "helical_feed_mm_per_turn": FEED,
 "view_angles_deg": {"first": -532.5, "step": 15, "count": 72}})";

const QByteArray experiment = R"({"format": "gantry-experiment", "version": 1,
 "source": {"kind": "scan", "path": "helix.scan.json", "rebin": "fans"},
 "runs": [{"name": "mine", "solver": "cgls", "projector": "area_integral", "format": "bsr",
           "backend": "cpu", "iterations": 3}]})";

}  // namespace

class TestCliRebin : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  Answer cli(const QString& arguments) const { return gantry_cli(arguments, folder_.path()); }
  void put(const QString& name, const QByteArray& text) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }
  void simulate(const char* feed, const QString& out) const {
    put("g.json", QByteArray(helix).replace("FEED", feed));
    const Answer answer = cli(
        "simulate --phantom shepp_logan_ts --set phantom.size_mm=70 --geometry g.json --subrays 1 "
        "--out " +
        out);
    QVERIFY2(answer.code == 0, answer.text().constData());
  }

 private slots:
  void byHandAndByAnExperimentItIsTheSame() {
    simulate("12", "helix.scan.json");
    const Answer made = cli("rebin helix.scan.json --out fans.scan.json");
    EXPECT_DONE(made);
    QVERIFY2(made.output.startsWith("wrote fans.scan.json: fan flat, 24 views x 40 x 14 cells"),
             made.text().constData());
    QVERIFY2(made.output.contains("slices from -13 to 13 mm, 2 mm from each to the next"),
             made.text().constData());
    EXPECT_DONE(
        cli("reconstruct fans.scan.json --projector area_integral --format bsr --backend cpu "
            "--solver cgls --iterations 3 --out fans.mha"));
    put("e.json", experiment);
    EXPECT_DONE(cli("run e.json --out results"));
    const PlainVolume by_hand = read_plain(folder_.filePath("fans.mha")),
                      by_experiment = read_plain(folder_.filePath("results/mine.mha"));
    QCOMPARE(by_hand.values.size(), std::size_t{40 * 40 * 14});
    QVERIFY(by_hand.values == by_experiment.values);
    QVERIFY(*std::ranges::max_element(by_hand.values) > 0.01F);
  }

  void slicesAreChosen() {
    simulate("12", "helix.scan.json");
    const Answer made =
        cli("rebin helix.scan.json --slices 4 --slice-distance 1.5 --out four.scan.json");
    EXPECT_DONE(made);
    QVERIFY2(made.output.contains("slices from -2.25 to 2.25 mm, 1.5 mm"), made.text().constData());
    const Answer refused =
        cli("rebin helix.scan.json --slices 400 --slice-distance 1.5 --out more.scan.json");
    QCOMPARE(refused.code, 2);
    QVERIFY2(refused.errors.contains("slice 0 lies at "), refused.text().constData());
    QVERIFY(!QFile::exists(folder_.filePath("more.scan.json")));
  }

  void otherScansAreRefused() {
    simulate("17", "steep.scan.json");
    EXPECT_DONE(
        cli("simulate --phantom shepp_logan --preset head_fan --subrays 1 --out fan.scan.json"));
    const auto before = QDir(folder_.path()).entryList();
    for (const auto& [scan, why] :
         {std::pair{"steep", "the pitch is too great: a turn climbs 17"},
          std::pair{"fan", "the rows of a fan beam are slices already"}}) {
      const Answer refused = cli(QString("rebin %1.scan.json --out no.scan.json").arg(scan));
      QCOMPARE(refused.code, 2);
      QCOMPARE(refused.error_lines().size(), 1);
      QVERIFY2(refused.errors.contains(why), refused.text().constData());
      QVERIFY(refused.output.isEmpty());
    }
    QCOMPARE(QDir(folder_.path()).entryList(), before);
  }

  /// What the rows do not see is said.
  void raysBeyondTheDetectorAreCounted() {
    simulate("16", "greatest.scan.json");
    const Answer made = cli("rebin greatest.scan.json --out g.scan.json");
    QCOMPARE(made.code, 0);
    QCOMPARE(made.error_lines().size(), 1);
    QVERIFY2(made.errors.contains("pass beyond the detector's rows"), made.text().constData());
  }
};

GANTRY_TEST(TestCliRebin)
#include "test_cli_rebin.moc"
