// What an import tells of a geometry that cannot be, or hardly.
#include "core/base/error.hpp"
#include "core/io/imports/checks/geometry_checks.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <functional>

using namespace gantry;
using namespace gantry::test;

namespace {

using Change = std::function<void(ScanSpec&)>;

/// A sound parallel scan of 36 views over half a turn.
ScanSpec sound() {
  ScanSpec spec;
  spec.beam = Beam::parallel;
  spec.detector_columns = 64;
  spec.detector_rows = 4;
  spec.column_pitch_mm = spec.row_pitch_mm = 0.1;
  spec.central_column = 31.5;
  spec.central_row = 1.5;
  spec.view_angles_rad = angles_from_degrees(0, 5, 36);
  return spec;
}

}  // namespace

class TestGeometryChecks : public QObject {
  Q_OBJECT
 private slots:
  void soundScansAreNotDoubted_data() {
    QTest::addColumn<double>("first");
    QTest::addColumn<double>("step");
    QTest::addColumn<int>("count");
    QTest::addRow("half a turn") << 0.0 << 5.0 << 36;
    QTest::addRow("a turn with its end") << -180.0 << 10.0 << 37;
    QTest::addRow("clockwise") << 90.0 << -1.0 << 360;
    QTest::addRow("golden angle") << 0.0 << 111.246 << 100;
    QTest::addRow("many golden angles") << 0.0 << 137.508 << 240;
    QTest::addRow("many golden angles backwards") << 0.0 << -222.492 << 60;
    QTest::addRow("two turns") << 0.0 << 7.0 << 100;
    QTest::addRow("thirty turns") << 0.0 << 4.0 << 2700;
    QTest::addRow("a single view") << 30.0 << 0.0 << 1;
  }
  void soundScansAreNotDoubted() {
    QFETCH(double, first);
    QFETCH(double, step);
    QFETCH(int, count);
    ScanSpec spec = sound();
    spec.view_angles_rad = angles_from_degrees(first, step, count);
    const auto doubts = doubts_about(spec, true);
    QVERIFY2(doubts.empty(), doubts.empty() ? "" : doubts[0].c_str());
  }

  /// Both sides of an arc that was left out are far from each other, but no view is.
  void aWedgeAndAWrapAreNotDoubted() {
    ScanSpec spec = sound();
    for (std::size_t i = 18; i < 36; ++i) spec.view_angles_rad[i] += radians(60);
    QVERIFY(doubts_about(spec, true).empty());
    spec = sound();
    for (std::size_t i = 18; i < 36; ++i) spec.view_angles_rad[i] -= 2 * pi;
    QVERIFY(doubts_about(spec, true).empty());
  }

  void doubtsAreOneLineEach_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("line");
    QTest::addRow("one angle") << Change([](ScanSpec& s) {
      s.view_angles_rad.assign(36, radians(12));
    }) << "all 36 views have the angle 12: they show the object from one side alone";
    QTest::addRow("shared angles") << Change([](ScanSpec& s) {
      s.view_angles_rad[7] = s.view_angles_rad[8] = s.view_angles_rad[6];
    }) << "2 views have the angle of another one, as 30 degrees: check the list of angles";
    QTest::addRow("a stray angle")
        << Change([](ScanSpec& s) { s.view_angles_rad[3] = radians(7777); })
        << "the angle of view 3, 7777 degrees, is far from those before and after it: check the "
           "list of angles";
    QTest::addRow("a small arc") << Change([](ScanSpec& s) {
      s.view_angles_rad = angles_from_degrees(12.3, 1e-4, 90);
    })
                                 << "the 90 views cover only 0.0089 degrees: check that their "
                                    "angles, and the unit of these, "
                                    "are those of the scan; a list of others (--angles) or the arc "
                                    "(--arc) takes their place";
    QTest::addRow("many turns") << Change([](ScanSpec& s) {
      s.view_angles_rad = angles_from_degrees(0, 5001, 36);
    }) << "the angles reach 175035 degrees, more than a hundred turns: check their unit";
    QTest::addRow("radians")
        << Change([](ScanSpec& s) { s.view_angles_rad = angles_from_degrees(0, 2 * pi / 36, 36); })
        << "the views cover 6.10865 degrees, as a whole turn does in radians: check the unit of "
           "the angles";
    // 6 and 0.1 degrees, over a turn and over half of one, and 5 over 200, taken as radians.
    QTest::addRow("degrees, a turn")
        << Change([](ScanSpec& s) { s.view_angles_rad = angles_from_degrees(0, 6 * 180 / pi, 60); })
        << "the views are 343.775 degrees apart and cover 20282.7, as 354 degrees do that are "
           "called radians: check the unit of the angles";
    QTest::addRow("degrees, half a turn in small steps")
        << Change([](ScanSpec& s) { s.view_angles_rad = angles_from_degrees(0, -18 / pi, 1801); })
        << "the views are 5.72958 degrees apart and cover 10313.2, as 180 degrees do that are "
           "called radians: check the unit of the angles";
    QTest::addRow("degrees, another arc")
        << Change([](ScanSpec& s) { s.view_angles_rad = angles_from_degrees(9, 900 / pi, 41); })
        << "the views are 286.479 degrees apart and cover 11459.2, as 200 degrees do that are "
           "called radians: check the unit of the angles";
    QTest::addRow("the axis") << Change([](ScanSpec& s) {
      s.central_column = 100;
    }) << "the axis of rotation, column 100, lies outside the detector of 64 columns";
    QTest::addRow("large cells") << Change([](ScanSpec& s) { s.column_pitch_mm = 55000; })
                                 << "no detector has cells of 55000 mm: check their unit";
    QTest::addRow("small cells") << Change([](ScanSpec& s) { s.column_pitch_mm = 1e-6; })
                                 << "no detector has cells of 1e-06 mm: check their unit";
  }
  void doubtsAreOneLineEach() {
    QFETCH(Change, change);
    QFETCH(QString, line);
    ScanSpec spec = sound();
    change(spec);
    QCOMPARE(doubts_about(spec, true), std::vector<std::string>{line.toStdString()});
  }

  void unknownLengthsAreNotDoubted() {
    ScanSpec spec = sound();
    spec.column_pitch_mm = 55000;
    QVERIFY(doubts_about(spec, false).empty());
  }

  void anAxisFarOutsideIsRefused() {
    require_near_axis({}, 64);
    require_near_axis(-60, 64);
    require_near_axis(120, 64);
    EXPECT_THROWS(UsageError, require_near_axis(90000, 64),
                  "column 90000 is far outside the detector, which has 64 columns");
    EXPECT_THROWS(UsageError, require_near_axis(-65, 64), "count columns from 0");
  }
};

GANTRY_TEST(TestGeometryChecks)
#include "test_geometry_checks.moc"
