// What FBP and FDK make of single readings, in closed form: the weight of each cell and each view,
// the filter that was asked for, and the limit at zero.
#include "core/backend/cpu_backend.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "core/solvers/direct/ramp_filter.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

class TestFilteredBackprojection : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  std::vector<float> reconstruct(const ScanSpec& spec, const VolumeGrid& grid,
                                 const std::vector<float>& data, const Params& params = {}) {
    const auto A = make_siddon(backend_, share(spec), grid, {});
    const Array b = Array::from(backend_, data);
    const auto solver = spec.beam == Beam::cone
                            ? make_fdk(resolve_params(params, fdk_params(), "fdk"))
                            : make_fbp(resolve_params(params, fbp_params(), "fbp"));
    run(*solver, {A.get(), &b, nullptr}, {1, 0}, {});
    return solver->solution().to_host();
  }
  static ScanSpec parallel(std::vector<double> angles_rad, int columns) {
    ScanSpec spec = fan_spec(1, columns, 2);
    spec.beam = Beam::parallel;
    spec.view_angles_rad = std::move(angles_rad);
    return spec;
  }

  static void shapes() {
    QTest::addColumn<int>("shape");
    QTest::newRow("flat") << static_cast<int>(DetectorShape::flat);
    QTest::newRow("arc") << static_cast<int>(DetectorShape::arc);
  }

 private slots:
  /// Two voxels, one above the other, each behind a cell of its own row: they differ by the cosines
  /// of the angles between the rays of these cells and the central ray (Feldkamp, Davis and Kress
  /// 1984, eq. 29; on an arc the rows are those of a cylinder).
  void cellsAreWeightedByTheirCosine_data() { shapes(); }
  void cellsAreWeightedByTheirCosine() {
    QFETCH(int, shape);
    ScanSpec spec = fan_spec(1, 41, 5);
    spec.beam = Beam::cone;
    spec.detector = static_cast<DetectorShape>(shape);
    spec.detector_rows = 21;
    spec.row_pitch_mm = 6;
    spec.central_row = 4.5;
    const ScanGeometry geometry(spec);
    const double sdd = spec.source_to_detector_mm;
    for (const int column : {2, 20, 36}) {
      const Ray ray = geometry.ray(0, column, spec.central_row);  // in the plane
      const Vec3 p = ray.origin_mm + 190 * ray.direction;
      // On a flat detector the cell lies sdd / cos b from the source, on an arc sdd.
      const double b = geometry.fan_angle_rad(column);
      const bool flat = spec.detector == DetectorShape::flat;
      const double distance = flat ? sdd / std::cos(b) : sdd;
      for (const int low : {0, 5}) {
        const int high = 20;
        const auto v = [&](int row) { return (row - spec.central_row) * spec.row_pitch_mm; };
        const auto z = [&](int row) { return 190 / distance * v(row); };
        const VolumeGrid grid{1, 1, 2, {1, 1, z(high) - z(low)}, {p.x, p.y, z(low)}};
        std::vector<float> data(geometry.rays());
        for (const int row : {low, high}) data[static_cast<std::size_t>(row * 41 + column)] = 1;
        const std::vector<float> mu = reconstruct(spec, grid, data);
        const auto cosine = [&](int row) { return distance / std::hypot(distance, v(row)); };
        EXPECT_NEAR(mu[1] / mu[0], cosine(high) / cosine(low), 1e-5);
      }
    }
  }

  /// A reading at the axis gives the axis the first tap, 1 / (4 pitch), times what its view stands
  /// for: half the gaps to its neighbours.
  void viewsCountWhatTheyStandFor() {
    const std::vector<double> degrees = {0, 10, 40, 90, 120}, expected = {35, 20, 40, 40, 45};
    std::vector<double> angles;
    for (const double angle : degrees) angles.push_back(radians(angle));
    const ScanSpec spec = parallel(angles, 9);
    for (std::size_t view = 0; view < 5; ++view) {
      std::vector<float> data(5 * 9);
      data[view * 9 + 4] = 1;
      const std::vector<float> mu =
          reconstruct(spec, VolumeGrid::centered(1, 1, 1, {1, 1, 1}), data);
      EXPECT_NEAR(mu[0], radians(expected[view]) / (4 * 2), 1e-6);
    }
  }

  void theFilterIsTheOneThatWasAskedFor() {
    const ScanSpec spec = parallel({0}, 31);
    const std::vector<float> data = random_values(31, 91, -1, 1);
    const VolumeGrid cells = VolumeGrid::centered(31, 1, 1, {2, 2, 2});  // x is the detector's
    for (const std::string& window : ramp_windows())
      for (const double cutoff : {1.0, 0.35}) {
        std::vector<float> row = data;
        RampFilter(*share(spec), window, cutoff).apply(row);
        const std::vector<float> mu =
            reconstruct(spec, cells, data, {{"window", window}, {"cutoff", cutoff}});
        for (std::size_t i = 0; i < 31; ++i) EXPECT_NEAR(mu[i], pi * row[i], 1e-5);
      }
  }

  void nonNegativeImagesLoseWhatIsBelowZero() {
    const ScanSpec spec = fan_spec(7, 24, 4);
    const VolumeGrid grid = VolumeGrid::centered(12, 11, 1, {4, 4, 4});
    const std::vector<float> data = random_values(7 * 24, 92);
    std::vector<float> expected = reconstruct(spec, grid, data);
    QVERIFY(std::ranges::min(expected) < 0);
    for (float& value : expected) value = std::max(value, 0.0F);
    QCOMPARE(reconstruct(spec, grid, data, {{"nonnegative", true}}), expected);
  }

  void sharesFollowUnevenGaps() {
    ScanSpec spec = fan_spec(1, 9, 2);
    spec.view_angles_rad = {radians(30), radians(0), radians(180), radians(90), radians(270)};
    const std::vector<double> expected = {45, 60, 90, 75, 90};
    const ScanCoverage coverage(*share(spec));
    for (std::size_t v = 0; v < 5; ++v)
      EXPECT_NEAR(coverage.view_widths_rad()[v], radians(expected[v]), 1e-12);
  }

  /// A parallel beam whose axis lies off the middle: the weights of a line that was measured from
  /// both sides add up to one, over a whole turn those of Wang (Med. Phys. 29 (2002) 1634) by the
  /// distance from the axis.
  void parallelLinesCountOnce_data() {
    QTest::addColumn<int>("views");
    for (const int views : {200, 270, 330, 360}) QTest::addRow("%d degrees", views) << views;
  }
  void parallelLinesCountOnce() {
    QFETCH(int, views);
    ScanSpec spec = parallel(angles_from_degrees(11, 1, views), 400);
    spec.central_column = 99.5;
    const RayRedundancy redundancy(*share(spec));
    const double overlap = 100 * 2;
    int twice = 0;
    for (int v = 0; v < views; v += 7)
      for (int c = 0; c < 400; ++c) {
        const double t = radians(11 + v), x = (c - 99.5) * 2, weight = redundancy.weight(t, x);
        EXPECT_NEAR(redundancy.place(c), x, 1e-12);
        if (x > overlap || redundancy.coverage().depth_rad(t + pi) == 0) {
          QCOMPARE(weight, 1.0);
          continue;
        }
        ++twice;
        EXPECT_NEAR(weight + redundancy.weight(t + pi, -x), 1, 1e-11);
        if (views == 360) EXPECT_NEAR(weight, 0.5 * (1 + std::sin(pi / 2 * x / overlap)), 1e-12);
      }
    QVERIFY(twice > 0);
  }

  /// Half a turn that is measured twice tells no more of the other side than once, though the
  /// object turned on by a whole turn between.
  void halfATurnTwiceIsHalfATurn() {
    ScanSpec spec = fan_spec(90, 41, 2);
    spec.beam = Beam::parallel;
    spec.central_column = 25;
    std::vector<double>& angles = spec.view_angles_rad;
    angles = angles_from_degrees(0, 2, 90);
    const RayRedundancy once(*share(spec));
    for (std::size_t view = 0; view < 90; ++view) angles.push_back(angles[view] + 2 * pi);
    const RayRedundancy twice(*share(spec));
    QVERIFY(!once.tells_sides() && !twice.tells_sides());
    for (const double angle : angles)
      for (const int column : {0, 20, 40})
        QCOMPARE(twice.weight(angle, twice.place(column)), once.weight(angle, once.place(column)));
    for (std::size_t view = 0; view < 180; ++view)
      EXPECT_NEAR(twice.coverage().view_widths_rad()[view], radians(1), 1e-9);
  }

  /// Where one side of the detector is longer by a few columns, the weights leave one half only
  /// near the ends of what both sides see: over eight times what the one side sees alone.
  void aSmallOffsetIsJoinedNearTheEnds() {
    ScanSpec spec = fan_spec(360, 400, 0.5);
    spec.detector = DetectorShape::arc;
    spec.central_column = 197.5;  // 202 columns to one side, 198 to the other
    const auto geometry = share(spec);
    const RayRedundancy redundancy(*geometry);
    const double column = 0.5 / 300, both = 198 * column, width = 8 * 4 * column;
    const auto weight = [&](double b) { return redundancy.weight(0.3, b); };
    for (const double b : {0.0, 0.4 * both, both - width - column, -both + width + column})
      EXPECT_NEAR(weight(b), 0.5, 1e-12);
    EXPECT_NEAR(weight(both - width / 2), 0.75, 1e-9);
    EXPECT_NEAR(weight(-both + width / 2), 0.25, 1e-9);
    EXPECT_NEAR(weight(both + column), 1, 1e-12);
  }
};

GANTRY_TEST(TestFilteredBackprojection)
#include "test_filtered_backprojection.moc"
