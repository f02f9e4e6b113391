// The middle row of a scan, and where it lies on a detector that is tilted.
#include "core/base/error.hpp"
#include "core/centring/row_slices.hpp"
#include "core/geometry/detector_move.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <vector>

using namespace gantry;
using namespace gantry::test;

class TestRowSlices : public QObject {
  Q_OBJECT
  static constexpr int columns = 60, views = 20;

  static ScanSpec scan(Beam beam) {
    ScanSpec spec;
    spec.beam = beam;
    if (beam == Beam::cone) {
      spec.source_to_isocenter_mm = 250;
      spec.source_to_detector_mm = 400;
    }
    spec.detector_columns = columns;
    spec.detector_rows = 30;
    spec.column_pitch_mm = 1.5;
    spec.row_pitch_mm = 2;
    spec.central_column = 31;
    spec.central_row = 15.25;
    spec.view_angles_rad = angles_from_degrees(10, 18, views);
    return spec;
  }
  /// A picture that is linear on the detector, so that interpolation is exact.
  static double picture(const View& pose, const Vec3& at, int view) {
    const Vec3 from = at - pose.detector_mm;
    return 5 + view + 0.3 * dot(from, pose.u_mm) / dot(pose.u_mm, pose.u_mm) -
           0.7 * dot(from, pose.v_mm) / dot(pose.v_mm, pose.v_mm);
  }

 private slots:
  void aTiltedDetectorIsReadAlongTheRow_data() {
    QTest::addColumn<Beam>("beam");
    QTest::newRow("parallel") << Beam::parallel;
    QTest::newRow("cone") << Beam::cone;
  }
  void aTiltedDetectorIsReadAlongTheRow() {
    QFETCH(const Beam, beam);
    const ScanGeometry straight(scan(beam));
    const double roll_rad = radians(-4);
    const ScanGeometry tilted(with_moved_detector(straight.spec(), {.roll_rad = roll_rad}));
    std::vector<float> seen;  // by the tilted detector
    for (int view = 0; view < straight.views(); ++view)
      for (int row = 0; row < straight.rows(); ++row)
        for (int column = 0; column < straight.columns(); ++column)
          seen.push_back(static_cast<float>(picture(
              straight.view(view), ViewRays(tilted, view).detector_point_mm(column, row), view)));
    const auto found = middle_row(straight, seen, columns, views, roll_rad);
    QVERIFY(found);
    const auto row = middle_row_index(straight);
    QVERIFY(row);
    // The ends of the row may leave the detector at the sides.
    for (int view = 0; view < straight.views(); ++view)
      for (int column = 1; column < straight.columns() - 1; ++column)
        EXPECT_NEAR(found->line_integrals[static_cast<std::size_t>(view * columns + column)],
                    picture(straight.view(view),
                            ViewRays(straight, view).detector_point_mm(column, *row), view),
                    1e-4);
    // Without a tilt, the row is that of the detector.
    QVERIFY(middle_row(straight, seen, columns, views)->line_integrals != found->line_integrals);
  }

  void aTiltThatLeavesTheDetectorIsRefused() {
    ScanSpec flat = scan(Beam::parallel);
    flat.detector_rows = 4;
    flat.central_row = 1.5;
    const std::vector<float> values(ScanGeometry(flat).rays(), 1.0F);
    QVERIFY(middle_row(ScanGeometry(flat), values, columns, views, radians(1)));
    EXPECT_THROWS(UsageError, middle_row(ScanGeometry(flat), values, columns, views, radians(8)),
                  "too few rows for this tilt");
  }
};

GANTRY_TEST(TestRowSlices)
#include "test_row_slices.moc"
