// The axis of rotation by the sharpest slice, and what all ways together say.
#include "core/alignment/centre_from_data.hpp"
#include "core/base/error.hpp"
#include "core/centring/centre_methods.hpp"
#include "core/centring/row_slices.hpp"
#include "core/centring/sharpest_slice.hpp"
#include "core/centring/slice_sharpness.hpp"
#include "core/geometry/default_scan.hpp"
#include "tests/core/alignment/measured_scan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

double head_radius_mm() {
  const Vec3 half = phantom("forbild_head")->half_extent_mm();
  return std::max(half.x, half.y);
}

ScanSpec fan_scan(double centre, int views, double arc_deg) {
  ScanSpec spec = default_scan(head_radius_mm(), 0, 128);
  spec.view_angles_rad = angles_from_degrees(17, arc_deg / views, views);
  spec.central_column = centre;
  return spec;
}

ScanSpec parallel_scan(double centre, int views, double arc_deg) {
  ScanSpec spec = fan_scan(centre, views, arc_deg);
  spec.beam = Beam::parallel;
  spec.column_pitch_mm = spec.row_pitch_mm = 2.8 * head_radius_mm() / spec.detector_columns;
  return spec;
}

/// Data of 10 000 photons a ray; cells as wide as they are.
std::vector<float> measured(const Phantom& object, const ScanSpec& spec) {
  return test::measured(object, ScanGeometry(spec), 1e4, object.is_section() ? 4 : 1);
}

/// A cylinder of water, 60 mm wide, with rods in it, as a fan beam measures it with 60 000 photons.
/// About an axis at a distance of the radius of a rod, its edge shrinks to a point.
std::vector<float> measured_rods(const ScanGeometry& scan) {
  struct Rod {
    double x = 0, y = 0, radius = 0, mu = 0;
  };
  constexpr std::array<Rod, 5> rods{Rod{0, 0, 30, 0.01}, Rod{9, 12, 4, 0.02},
                                    Rod{-15, 3, 6, -0.006}, Rod{-3, -14, 3, 0.02},
                                    Rod{12, -8, 7, 0.01}};
  const ScanSpec& spec = scan.spec();
  std::vector<float> p;
  for (int view = 0; view < scan.views(); ++view)
    for (int column = 0; column < scan.columns(); ++column) {
      const double angle = scan.angle_rad(view),
                   u = (column - spec.central_column) * spec.column_pitch_mm,
                   sine = std::sin(angle), cosine = std::cos(angle),
                   x = u * cosine - spec.source_to_detector_mm * sine,
                   y = u * sine + spec.source_to_detector_mm * cosine;
      double sum = 0;
      for (const Rod& rod : rods) {
        const double from_x = rod.x - spec.source_to_isocenter_mm * sine,
                     from_y = rod.y + spec.source_to_isocenter_mm * cosine,
                     off = (from_x * y - from_y * x) / std::hypot(x, y);
        sum += 2 * rod.mu * std::sqrt(std::max(0.0, rod.radius * rod.radius - off * off));
      }
      p.push_back(static_cast<float>(sum));
    }
  return with_noise(p, 6e4);
}

ScanSpec fan_of_rods(int columns, double centre, int views, double arc_deg) {
  ScanSpec spec = fan_scan(centre, views, arc_deg);
  spec.detector_columns = columns;
  spec.column_pitch_mm = spec.row_pitch_mm = 1;
  spec.source_to_isocenter_mm = 200;
  spec.source_to_detector_mm = 400;
  return spec;
}

}  // namespace

class TestSharpestSlice : public QObject {
  Q_OBJECT
 private slots:
  void theAxisIsFound_data() {
    QTest::addColumn<bool>("fan");
    QTest::addColumn<double>("centre");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("arc");
    QTest::addRow("half turn") << false << 57.37 << 90 << 180.0;
    QTest::addRow("whole turn of a parallel beam") << false << 68.2 << 120 << 360.0;
    QTest::addRow("whole turn of a fan") << true << 66.29 << 120 << 360.0;
    QTest::addRow("short scan of a fan") << true << 61.6 << 100 << 225.0;
  }
  void theAxisIsFound() {
    QFETCH(bool, fan);
    QFETCH(double, centre);
    QFETCH(int, views);
    QFETCH(double, arc);
    const ScanSpec spec = fan ? fan_scan(centre, views, arc) : parallel_scan(centre, views, arc);
    const auto found = centre_from_sharpness(with_axis_in_the_middle(spec),
                                             measured(*phantom("forbild_head"), spec));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.3f", found->column, centre, found->spread,
          found->mismatch);
    EXPECT_NEAR(found->column, centre, 0.2);
    QVERIFY(describe_support(*found).starts_with("the sharpest of "));
  }

  /// A cone beam is searched in the row of the source, whose slice is that of a fan.
  void theAxisOfAConeBeamIsFound() {
    const auto head = phantom("forbild_head_3d");
    const Vec3 half = head->half_extent_mm();
    ScanSpec spec = default_scan(std::max(half.x, half.y), 40, 128);
    spec.view_angles_rad = angles_from_degrees(0, 3, 120);
    spec.central_column = 60.4;
    const std::vector<float> p = measured(*head, spec);
    const auto found = centre_from_sharpness(with_axis_in_the_middle(spec), p);
    QVERIFY(found.has_value());
    EXPECT_NEAR(found->column, 60.4, 0.3);
    spec.central_row = -40;
    QVERIFY(!centre_from_sharpness(ScanGeometry(spec), p));
  }

  void smoothObjectsHaveTheirAxis_data() {
    QTest::addColumn<int>("columns");
    QTest::addColumn<double>("centre");
    QTest::addColumn<double>("arc");
    QTest::addRow("whole turn, left of the middle") << 160 << 75.3 << 360.0;
    QTest::addRow("whole turn, right of the middle") << 160 << 83.3 << 360.0;
    QTest::addRow("half fan") << 125 << 40.3 << 360.0;
    QTest::addRow("short scan") << 160 << 83.3 << 210.0;
  }
  void smoothObjectsHaveTheirAxis() {
    QFETCH(int, columns);
    QFETCH(double, centre);
    QFETCH(double, arc);
    const ScanSpec spec = fan_of_rods(columns, centre, static_cast<int>(arc / 2), arc);
    const auto found =
        centre_from_sharpness(with_axis_in_the_middle(spec), measured_rods(ScanGeometry(spec)));
    QVERIFY(found.has_value());
    qInfo("column %.3f for %.3f, spread %.3f, mismatch %.3f", found->column, centre, found->spread,
          found->mismatch);
    EXPECT_NEAR(found->column, centre, 0.4);
    EXPECT_NEAR(found->column, centre, 1.5 * found->spread + 0.05);
  }

  /// The edge of the detector makes a ring in each slice, which moves with the axis.
  void truncatedFansAreRefused() {
    const ScanGeometry scan(fan_of_rods(80, 40.8, 180, 360));
    QVERIFY(!centre_from_sharpness(scan, measured_rods(scan)));
    QVERIFY(centre_from_data(scan, measured_rods(scan)).has_value());
  }

  void nothingIsFoundInAirOrBeyondTheRange() {
    const ScanGeometry half(parallel_scan(63.5, 60, 180)), whole(fan_scan(63.5, 60, 360)),
        beside(fan_scan(20, 60, 360));
    std::vector<float> p(half.rays());
    QVERIFY(!centre_from_sharpness(half, p));
    add_transmission_noise(std::vector<float>(p.size()), {.photons_per_ray = 1e4}, p);
    QVERIFY(!centre_from_sharpness(half, p) && !centre_from_sharpness(whole, p));
    QVERIFY(!centre_from_sharpness(beside, measured(*phantom("forbild_head"), beside.spec())));
    EXPECT_THROWS(ShapeError, centre_from_sharpness(half, std::vector<float>(3)), "geometry");
  }

  void anInterruptEndsTheSearch() {
    const ScanGeometry scan(fan_scan(63.5, 60, 360));
    Interrupt interrupt;
    interrupt.raise();
    QVERIFY_THROWS_EXCEPTION(
        Interrupted, centre_from_sharpness(scan, std::vector<float>(scan.rays(), 1), &interrupt));
  }

  void rowsAreBinnedAboutTheirColumns() {
    ScanSpec spec = parallel_scan(31, 40, 180);
    spec.detector_columns = 67;
    spec.detector_rows = 5;
    const ScanGeometry scan(spec);
    std::vector<float> p;
    for (std::size_t i = 0; i < scan.rays(); ++i) p.push_back(static_cast<float>(i % 1999));
    const auto row = middle_row(scan, p, 25, 20);
    QVERIFY(row.has_value());
    QCOMPARE(row->bin, 3);
    QCOMPARE(row->spec.detector_columns, 22);
    QCOMPARE(static_cast<int>(row->spec.view_angles_rad.size()), 20);
    QCOMPARE(row->spec.view_angles_rad[3], scan.angle_rad(6));
    // Column 4 joins columns 12 to 14, since of 67 the last one is left out.
    const std::size_t from = (6 * 5 + 2) * 67 + 12;
    EXPECT_NEAR(row->line_integrals[3 * 22 + 4], (p[from] + p[from + 1] + p[from + 2]) / 3, 1e-3);
    EXPECT_NEAR(row->detector_column(4), 13, 1e-12);
    EXPECT_NEAR(row->spec.central_column, 10, 1e-12);
    // A view of twice the width is the same line of the world.
    EXPECT_NEAR(row->spec.column_pitch_mm, 3 * spec.column_pitch_mm, 1e-12);
  }

  /// Of an image linear in x and y, minus a few pixels, both measures are known.
  void measuresAreThoseOfAPlane() {
    const VolumeGrid grid = VolumeGrid::centered(41, 41, 1, {0.5, 0.25, 1});
    std::vector<float> plane, steps;
    for (int y = 0; y < 41; ++y)
      for (int x = 0; x < 41; ++x) {
        plane.push_back(static_cast<float>(3 * 0.5 * x + 4 * 0.25 * y));
        steps.push_back(x == 20 && y == 20 ? -7.0F : x == 22 && y == 20 ? 35.0F : 0.0F);
      }
    EXPECT_NEAR(smoothness(plane, grid), 1.0 / (3 * 3 + 4 * 4), 1e-6);
    EXPECT_NEAR(negativity(steps, grid), 7.0 / 28, 1e-12);
    QVERIFY(std::isinf(smoothness(std::vector<float>(plane.size(), 2), grid)));
    QVERIFY(std::isinf(negativity(std::vector<float>(plane.size(), -1), grid)));
  }

  void allWaysFindTheAxis() {
    const ScanSpec spec = parallel_scan(60.3, 121, 181.5);  // both ends of half a turn
    const auto all = centres_by_all_methods(with_axis_in_the_middle(spec),
                                            measured(*phantom("forbild_head"), spec));
    std::vector<std::string> keys;
    for (const FoundCentre& found : all) {
      keys.push_back(found.method->key);
      EXPECT_NEAR(found.estimate.column, 60.3, 0.25);
    }
    QVERIFY(
        (keys == std::vector<std::string>{"opposite", "fourier", "mass", "sharpness", "changes"}));
    QCOMPARE(disagreement(all), std::string());
    EXPECT_THROWS(UsageError, centre_method("guess"),
                  "opposite, conjugate, consistency, fourier, mass, sharpness");
  }

  void disagreementIsSaid() {
    const CentreMethod* a = &centre_method("opposite");
    const CentreMethod* b = &centre_method("fourier");
    const CentreMethod* c = &centre_method("sharpness");
    const auto at = [](const CentreMethod* method, double column) {
      return FoundCentre{method, {.column = column}};
    };
    QCOMPARE(disagreement({at(a, 60.3), at(b, 61.2), at(c, 59.4)}), std::string());
    QCOMPARE(disagreement({at(a, 60.3), at(b, 61.8), at(c, 57.254)}),
             std::string("opposite finds column 60.3, but sharpness 57.25"));
    QCOMPARE(disagreement({}), std::string());
    // Axes that state small errors contradict each other sooner.
    const auto near = [](const CentreMethod* method, double column, double spread) {
      return FoundCentre{method, {.column = column, .spread = spread}};
    };
    QCOMPARE(disagreement({near(a, 60.3, 0.01), near(c, 60.9, 0.02)}),
             std::string("opposite finds column 60.3, but sharpness 60.9"));
    QCOMPARE(disagreement({near(a, 60.3, 0.01), near(c, 60.9, 0.2)}), std::string());
    QCOMPARE(disagreement({near(a, 60.3, 0.01), near(c, 60.55, 0.01)}), std::string());
    QCOMPARE(contradicting({near(a, 60.3, 0.01), near(b, 62, 0.5), near(c, 60.9, 0.02)})->method,
             b);
  }
};

GANTRY_TEST(TestSharpestSlice)
#include "test_sharpest_slice.moc"
