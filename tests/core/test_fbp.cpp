// Filtered backprojection of an ellipse with exact line integrals (closed form, written here).
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/siddon.hpp"
#include "core/solvers/fbp.hpp"
#include "core/solvers/ramp_filter.hpp"
#include "core/solvers/run.hpp"
#include "core/solvers/view_weights.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Ellipse {
  double x0, y0, a, b, angle, mu;
  bool contains(double x, double y, double scale) const {
    const double dx = x - x0, dy = y - y0;
    const double p = (dx * std::cos(angle) + dy * std::sin(angle)) / a,
                 q = (-dx * std::sin(angle) + dy * std::cos(angle)) / b;
    return p * p + q * q < scale * scale;
  }
  double line_integral(const Ray& ray) const {
    const double ox = ray.origin_mm.x - x0, oy = ray.origin_mm.y - y0, c = std::cos(angle),
                 s = std::sin(angle);
    const double px = (ox * c + oy * s) / a, py = (-ox * s + oy * c) / b;
    const double dx = (ray.direction.x * c + ray.direction.y * s) / a,
                 dy = (-ray.direction.x * s + ray.direction.y * c) / b;
    const double A = dx * dx + dy * dy, B = px * dx + py * dy, C = px * px + py * py - 1,
                 d = B * B - A * C;
    return d <= 0 ? 0 : mu * 2 * std::sqrt(d) / A;
  }
};

const Ellipse body{3, -4, 60, 45, 0.4, 0.02}, insert{-15, 12, 14, 9, 1.1, 0.01};

ScanSpec scan(Beam beam, DetectorShape shape, int views, double span_deg) {
  ScanSpec spec;
  spec.beam = beam;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 300;
  spec.source_to_detector_mm = 500;
  spec.detector_columns = 400;
  spec.column_pitch_mm = spec.row_pitch_mm = beam == Beam::parallel ? 0.5 : 0.8;
  spec.central_column = 199.25;
  spec.view_angles_rad = angles_from_degrees(11, span_deg / views, views);
  return spec;
}

}  // namespace

class TestFbp : public QObject {
  Q_OBJECT
  CpuBackend backend_;

  Array reconstruct(const ScanSpec& spec, const VolumeGrid& grid, const Params& extra = {}) {
    const auto geometry = share(spec);
    std::vector<float> data;
    for (int v = 0; v < geometry->views(); ++v) {
      const ViewRays rays(*geometry, v);
      for (int row = 0; row < geometry->rows(); ++row)
        for (int c = 0; c < geometry->columns(); ++c)
          data.push_back(static_cast<float>(body.line_integral(rays.ray(c, row)) +
                                            insert.line_integral(rays.ray(c, row))));
    }
    const auto A = make_siddon(backend_, geometry, grid, {});
    const Array b = Array::from(backend_, data);
    const auto solver = make_fbp(resolve_params(extra, fbp_params(), "fbp"));
    [&] { QCOMPARE(run(*solver, {A.get(), &b, nullptr}, {5, 0}, {}), StopReason::exhausted); }();
    return solver->solution().clone();
  }

  /// Mean inside the body away from edges, inside the insert, and outside, against the truth.
  void expectEllipse(const VolumeGrid& grid, const Array& mu, double tolerance) {
    double sums[3] = {}, squares = 0;
    int counts[3] = {};
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
        const bool in_insert = insert.contains(p.x, p.y, 0.8),
                   near_insert = insert.contains(p.x, p.y, 1.3);
        const bool in_body = body.contains(p.x, p.y, 0.9), outside = !body.contains(p.x, p.y, 1.1);
        const int zone = in_insert ? 1 : outside ? 2 : in_body && !near_insert ? 0 : -1;
        if (zone < 0) continue;
        const double value = mu.host()[grid.index(ix, iy, 0)];
        sums[zone] += value;
        ++counts[zone];
        squares += std::pow(value - (zone == 0 ? 0.02 : zone == 1 ? 0.03 : 0.0), 2);
      }
    EXPECT_NEAR(sums[0] / counts[0], 0.02, 0.02 * tolerance);
    EXPECT_NEAR(sums[1] / counts[1], 0.03, 0.03 * tolerance);
    EXPECT_NEAR(sums[2] / counts[2], 0.0, 0.02 * tolerance);
    EXPECT_NEAR(std::sqrt(squares / (counts[0] + counts[1] + counts[2])), 0.0,
                0.02 * 2 * tolerance);
  }

 private slots:
  // T40
  void ellipseWithinOnePercent_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("span");
    QTest::newRow("parallel, half turn")
        << static_cast<int>(Beam::parallel) << static_cast<int>(DetectorShape::flat) << 180.0;
    QTest::newRow("parallel, full turn")
        << static_cast<int>(Beam::parallel) << static_cast<int>(DetectorShape::flat) << 360.0;
    QTest::newRow("fan flat") << static_cast<int>(Beam::fan)
                              << static_cast<int>(DetectorShape::flat) << 360.0;
    QTest::newRow("fan arc") << static_cast<int>(Beam::fan) << static_cast<int>(DetectorShape::arc)
                             << 360.0;
  }
  void ellipseWithinOnePercent() {
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(double, span);
    const VolumeGrid grid = VolumeGrid::centered(150, 150, 1, {1, 1, 1});
    expectEllipse(
        grid,
        reconstruct(scan(static_cast<Beam>(beam), static_cast<DetectorShape>(shape), 720, span),
                    grid),
        0.01);
  }

  void shortScanKeepsTheLevel() {
    const VolumeGrid grid = VolumeGrid::centered(150, 150, 1, {1, 1, 1});
    expectEllipse(grid, reconstruct(scan(Beam::fan, DetectorShape::flat, 540, 270), grid), 0.05);
  }

  void stackReconstructsEverySlice() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 360, 360);
    spec.detector_rows = 3;
    spec.central_row = 1;
    spec.row_pitch_mm = 2;
    const VolumeGrid one = VolumeGrid::centered(75, 75, 1, {2, 2, 2}),
                     three = VolumeGrid::centered(75, 75, 3, {2, 2, 2});
    ScanSpec single = spec;
    single.detector_rows = 1;
    single.central_row = 0;
    const Array flat = reconstruct(single, one), stack = reconstruct(spec, three);
    for (std::size_t i = 0; i < flat.size(); ++i)
      for (std::size_t z = 0; z < 3; ++z)
        EXPECT_NEAR(stack.host()[z * flat.size() + i], flat.host()[i], 1e-6);
  }

  void windowsOnlySmooth() {
    const VolumeGrid grid = VolumeGrid::centered(75, 75, 1, {2, 2, 2});
    const ScanSpec spec = scan(Beam::parallel, DetectorShape::flat, 360, 180);
    double previous = 1e30;
    for (const std::string& window : ramp_windows()) {
      const Array mu = reconstruct(spec, grid, {{"window", window}});
      expectEllipse(grid, mu, 0.03);
      double roughness = 0;  // squared differences between neighbours
      for (std::size_t i = 1; i < mu.size(); ++i)
        roughness += std::pow(mu.host()[i] - mu.host()[i - 1], 2);
      QVERIFY(roughness < previous);
      previous = roughness;
    }
    EXPECT_THROWS(UsageError, RampFilter(*share(spec), "blackman", 1), "use one of ram-lak");
  }

  // numerics 7.6: the taps sum to zero in the limit, so a constant row filters to almost nothing in
  // its middle.
  void rampHasNoConstantTerm() {
    const auto geometry = share(scan(Beam::parallel, DetectorShape::flat, 1, 180));
    std::vector<float> row(400, 1.0F);
    RampFilter(*geometry, "ram-lak", 1).apply(row);
    const double tau = 0.5;
    // Exact: sum of taps beyond the ends, 2/(pi^2 tau) sum_{odd k > 200} 1/k^2 ~ 2/(pi^2 tau) /
    // 400.
    EXPECT_NEAR(row[200], 2 / (pi * pi * tau) / 400, 2e-6);
  }

  void sharesFollowTheAngles() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 4, 360);
    spec.view_angles_rad = {radians(10), radians(190), radians(100), radians(280)};
    for (const double share_rad : view_shares_rad(*share(spec)))
      EXPECT_NEAR(share_rad, pi / 2, 1e-12);
    spec.view_angles_rad =
        angles_from_degrees(0, 1, 181);  // a pause of 180 degrees counts as one step
    const std::vector<double> shares = view_shares_rad(*share(spec));
    EXPECT_NEAR(shares.front(), radians(1), 1e-12);
    EXPECT_NEAR(shares[90], radians(1), 1e-12);
  }

  void multiplicityCountsOppositeRays() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 720, 360);
    for (const float count : ray_multiplicity(*share(spec))) QCOMPARE(count, 2.0F);
    spec.view_angles_rad = angles_from_degrees(
        0, 0.5, 361 + 2 * 45);  // half a turn and a fan: central rays of the ends twice
    const auto geometry = share(spec);
    const std::vector<float> count = ray_multiplicity(*geometry);
    // By brute force: is the reversed ray among those measured?
    for (int v = 0; v < geometry->views(); v += 30)
      for (int c = 0; c < geometry->columns(); c += 57) {
        const Ray ray = geometry->ray(v, c, 0);
        const double reversed = std::atan2(-ray.direction.y, -ray.direction.x);
        bool found = false;
        for (int w = 0; w < geometry->views() && !found; ++w) {
          const double b = -geometry->fan_angle_rad(c);
          const Vec3 d{std::cos(geometry->angle_rad(w) + pi / 2 - b),
                       std::sin(geometry->angle_rad(w) + pi / 2 - b), 0};
          found = std::abs(std::remainder(std::atan2(d.y, d.x) - reversed, 2 * pi)) < radians(0.26);
        }
        QCOMPARE(count[static_cast<std::size_t>(v) * 400 + static_cast<std::size_t>(c)],
                 found ? 2.0F : 1.0F);
      }
  }
};

QTEST_APPLESS_MAIN(TestFbp)
#include "test_fbp.moc"
