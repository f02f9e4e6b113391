// Filtered backprojection of an ellipse with exact line integrals (closed form, written here).
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/ramp_filter.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"
#include "core/solvers/run.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/python.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numeric>

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

  Array reconstruct(const ScanSpec& spec, const VolumeGrid& grid, const Params& extra = {},
                    const std::vector<Ellipse>& object = {body, insert}) {
    const auto geometry = share(spec);
    std::vector<float> data;
    for (int v = 0; v < geometry->views(); ++v) {
      const ViewRays rays(*geometry, v);
      for (int row = 0; row < geometry->rows(); ++row)
        for (int c = 0; c < geometry->columns(); ++c) {
          double sum = 0;
          for (const Ellipse& part : object) sum += part.line_integral(rays.ray(c, row));
          data.push_back(static_cast<float>(sum));
        }
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
        const int stored = in_insert ? 1 : outside ? 2 : in_body && !near_insert ? 0 : -1;
        if (stored < 0) continue;
        const double value = mu.host()[grid.index(ix, iy, 0)];
        sums[stored] += value;
        ++counts[stored];
        squares += std::pow(value - (stored == 0 ? 0.02 : stored == 1 ? 0.03 : 0.0), 2);
      }
    EXPECT_NEAR(sums[0] / counts[0], 0.02, 0.02 * tolerance);
    EXPECT_NEAR(sums[1] / counts[1], 0.03, 0.03 * tolerance);
    EXPECT_NEAR(sums[2] / counts[2], 0.0, 0.02 * tolerance);
    EXPECT_NEAR(std::sqrt(squares / (counts[0] + counts[1] + counts[2])), 0.0,
                0.02 * 2 * tolerance);
  }

 private slots:
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

  /// Half a turn and the fan of scan() are 215.5 degrees (flat) and 216.7 (arc).
  void shortScan_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("span");
    for (const auto shape : {DetectorShape::flat, DetectorShape::arc})
      for (const double span : {217.0, 240.0, 300.0, 345.0})
        QTest::addRow("%s, %g degrees", shape == DetectorShape::flat ? "flat" : "arc", span)
            << static_cast<int>(shape) << span;
  }
  void shortScan() {
    QFETCH(int, shape);
    QFETCH(double, span);
    const VolumeGrid grid = VolumeGrid::centered(150, 150, 1, {1, 1, 1});
    const auto with = [&](double degrees_in_all) {
      return reconstruct(scan(Beam::fan, static_cast<DetectorShape>(shape),
                              static_cast<int>(2 * degrees_in_all), degrees_in_all),
                         grid);
    };
    const Array part = with(span), all = with(360);
    expectEllipse(grid, part, 0.01);
    double square = 0;
    int count = 0;
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
        if (!body.contains(p.x, p.y, 0.9) || insert.contains(p.x, p.y, 1.3)) continue;
        square +=
            std::pow(part.host()[grid.index(ix, iy, 0)] - all.host()[grid.index(ix, iy, 0)], 2);
        ++count;
      }
    EXPECT_NEAR(std::sqrt(square / count), 0, 0.004 * 0.02);
  }

  /// The detector reaches past the axis on one side by a few columns only: each half of the object
  /// is seen in every other half turn.
  void halfFan_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("views");
    QTest::addColumn<double>("central");
    const auto add = [](const char* name, Beam beam, DetectorShape shape, int views) {
      for (const double central : {30.25, 90.0, 320.0})
        QTest::addRow("%s, central column %g", name, central)
            << static_cast<int>(beam) << static_cast<int>(shape) << views << central;
    };
    add("flat", Beam::fan, DetectorShape::flat, 720);
    add("arc", Beam::fan, DetectorShape::arc, 720);
    add("parallel", Beam::parallel, DetectorShape::flat, 720);
    add("parallel, the first view once more", Beam::parallel, DetectorShape::flat, 721);
  }
  void halfFan() {
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(int, views);
    QFETCH(double, central);
    ScanSpec spec =
        scan(static_cast<Beam>(beam), static_cast<DetectorShape>(shape), views, 0.5 * views);
    spec.column_pitch_mm = 0.5;
    spec.central_column = central;
    const VolumeGrid grid = VolumeGrid::centered(150, 150, 1, {1, 1, 1});
    expectEllipse(grid, reconstruct(spec, grid), 0.01);
  }

  void tooShortAScanIsNotedAndGivesAnImage() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 300, 150);
    const std::string note = coverage_note(*share(spec));
    QVERIFY2(note.find("cover 150 degrees, a complete image takes 215.4") != std::string::npos,
             note.c_str());
    const VolumeGrid grid = VolumeGrid::centered(75, 75, 1, {2, 2, 2});
    const Array mu = reconstruct(spec, grid);
    double sum = 0;
    for (const float value : mu.host()) {
      QVERIFY(std::isfinite(value));
      sum += value;
    }
    QVERIFY(sum > 0);
    QVERIFY(coverage_note(*share(scan(Beam::fan, DetectorShape::flat, 440, 220))).empty());
    QVERIFY(coverage_note(*share(scan(Beam::fan, DetectorShape::arc, 720, 360))).empty());
    QVERIFY(coverage_note(*share(scan(Beam::parallel, DetectorShape::flat, 180, 180))).empty());
    QVERIFY(!coverage_note(*share(scan(Beam::parallel, DetectorShape::flat, 180, 150))).empty());
  }

  void centreOfADisc_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<double>("span");
    const auto add = [](const char* name, Beam beam, DetectorShape shape, double span) {
      QTest::newRow(name) << static_cast<int>(beam) << static_cast<int>(shape) << span;
    };
    add("parallel", Beam::parallel, DetectorShape::flat, 180);
    add("flat", Beam::fan, DetectorShape::flat, 360);
    add("flat, short", Beam::fan, DetectorShape::flat, 217);
    add("arc", Beam::fan, DetectorShape::arc, 360);
    add("arc, short", Beam::fan, DetectorShape::arc, 217);
  }
  void centreOfADisc() {
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(double, span);
    const Ellipse disc{0, 0, 70, 70, 0, 0.02};
    const VolumeGrid centre = VolumeGrid::centered(1, 1, 1, {1, 1, 1});
    const Array mu = reconstruct(scan(static_cast<Beam>(beam), static_cast<DetectorShape>(shape),
                                      static_cast<int>(2 * span), span),
                                 centre, {}, {disc});
    EXPECT_NEAR(mu.host()[0], 0.02, 0.005 * 0.02);
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

  // The taps (Kak and Slaney 1988, chapter 3, eq. 61) sum to zero in the limit, so a constant row
  // filters to almost nothing in its middle.
  void rampHasNoConstantTerm() {
    const auto geometry = share(scan(Beam::parallel, DetectorShape::flat, 1, 180));
    std::vector<float> row(400, 1.0F);
    RampFilter(*geometry, "ram-lak", 1).apply(row);
    const double tau = 0.5;
    // Exact: sum of taps beyond the ends, 2/(pi^2 tau) sum_{odd k > 200} 1/k^2 ~ 2/(pi^2 tau) /
    // 400.
    EXPECT_NEAR(row[200], 2 / (pi * pi * tau) / 400, 2e-6);
  }

  // The definition, by numpy: the spatial taps to both sides, zero-padded by FFT, windowed.
  void filterIsThatOfNumpy_data() {
    QTest::addColumn<int>("beam");
    QTest::addColumn<int>("shape");
    QTest::addColumn<QString>("window");
    QTest::addColumn<double>("cutoff");
    for (const std::string& window : ramp_windows())
      for (const double cutoff : {1.0, 0.6}) {
        const auto add = [&](const char* name, Beam beam, DetectorShape shape) {
          QTest::addRow("%s, %s, %g", name, window.c_str(), cutoff)
              << static_cast<int>(beam) << static_cast<int>(shape) << QString::fromStdString(window)
              << cutoff;
        };
        add("parallel", Beam::parallel, DetectorShape::flat);
        add("flat", Beam::fan, DetectorShape::flat);
        add("arc", Beam::fan, DetectorShape::arc);
      }
  }
  void filterIsThatOfNumpy() {
    const QString python = python_with(QStringLiteral("numpy"));
    if (python.isEmpty()) QSKIP("no Python with numpy");
    QFETCH(int, beam);
    QFETCH(int, shape);
    QFETCH(QString, window);
    QFETCH(double, cutoff);
    ScanSpec spec = scan(static_cast<Beam>(beam), static_cast<DetectorShape>(shape), 1, 180);
    spec.detector_columns = 37;
    const auto geometry = share(spec);
    const RampFilter filter(*geometry, window.toStdString(), cutoff);
    std::vector<float> first = random_values(37, 3, -1, 1), second = random_values(37, 4, -1, 1);
    QStringList arguments{
        QStringLiteral(GANTRY_SOURCE_DIR "/tests/oracles/ramp_oracle.py"),
        beam == static_cast<int>(Beam::parallel)        ? QStringLiteral("parallel")
        : shape == static_cast<int>(DetectorShape::arc) ? QStringLiteral("arc")
                                                        : QStringLiteral("flat"),
        QString::number(geometry->column_pitch_at_isocenter_mm(), 'g', 17),
        QString::number(spec.column_pitch_mm / spec.source_to_detector_mm, 'g', 17),
        window,
        QString::number(cutoff, 'g', 17)};
    for (const auto& row : {first, second})
      for (const float value : row)
        arguments << QString::number(static_cast<double>(value), 'g', 17);
    QProcess process;
    process.start(python, arguments);
    QVERIFY(process.waitForFinished(60000));
    const QList<QByteArray> expected = process.readAllStandardOutput().simplified().split(' ');
    QVERIFY2(expected.size() == 74, process.readAllStandardError().constData());
    filter.apply(first, second);
    double largest = 0;
    for (const QByteArray& value : expected)
      largest = std::max(largest, std::abs(value.toDouble()));
    for (int i = 0; i < 37; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(first[at], expected[i].toDouble(), 1e-6 * largest);
      EXPECT_NEAR(second[at], expected[37 + i].toDouble(), 1e-6 * largest);
    }
    std::vector<float> alone = random_values(37, 3, -1, 1);
    filter.apply(alone);
    for (std::size_t i = 0; i < 37; ++i) EXPECT_NEAR(alone[i], first[i], 1e-6 * largest);
  }

  void sharesFollowTheAngles() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 4, 360);
    spec.view_angles_rad = {radians(10), radians(190), radians(100), radians(280)};
    const ScanCoverage quarters(*share(spec));
    for (const double share_rad : quarters.view_widths_rad()) EXPECT_NEAR(share_rad, pi / 2, 1e-12);
    spec.view_angles_rad =
        angles_from_degrees(0, 1, 181);  // a pause of 180 degrees counts as one step
    const ScanCoverage half(*share(spec));
    EXPECT_NEAR(half.view_widths_rad().front(), radians(1), 1e-12);
    EXPECT_NEAR(half.view_widths_rad()[90], radians(1), 1e-12);
    EXPECT_NEAR(half.covered_rad(), radians(181), 1e-12);
    EXPECT_NEAR(half.depth_rad(radians(360 + 30)), radians(30.5), 1e-12);
    EXPECT_NEAR(half.depth_rad(radians(-0.2)), radians(0.3), 1e-12);
    EXPECT_NEAR(half.depth_rad(radians(181)), 0, 0);
    // Two arcs, one of them across 360 degrees.
    spec.view_angles_rad = angles_from_degrees(340, 1, 41);
    for (const double angle : angles_from_degrees(100, 1, 21))
      spec.view_angles_rad.push_back(angle);
    const ScanCoverage two(*share(spec));
    EXPECT_NEAR(two.covered_rad(), radians(62), 1e-12);
    EXPECT_NEAR(two.depth_rad(radians(0)), radians(20.5), 1e-12);
    EXPECT_NEAR(two.depth_rad(radians(350)), radians(10.5), 1e-12);
    EXPECT_NEAR(two.depth_rad(radians(118)), radians(2.5), 1e-12);
    EXPECT_NEAR(two.depth_rad(radians(60)), 0, 0);
  }

  /// Views of several turns stand at the same angles but for rounding: these are no steps.
  void turnsCoverTheCircleOnce() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 4, 360);
    spec.view_angles_rad = angles_from_degrees(0.3, 360.0 / 77, 5 * 77);
    const ScanCoverage turns(*share(spec));
    QVERIFY(turns.complete());
    EXPECT_NEAR(
        std::accumulate(turns.view_widths_rad().begin(), turns.view_widths_rad().end(), 0.0),
        2 * pi, 1e-9);
    QVERIFY(coverage_note(*share(spec)).empty());
    // There and back over half a turn.
    spec.view_angles_rad = angles_from_degrees(0, 1, 181);
    for (int v = 180; v >= 0; --v) spec.view_angles_rad.push_back(radians(v + 1e-11));
    EXPECT_NEAR(ScanCoverage(*share(spec)).covered_rad(), radians(181), 1e-9);
  }

  /// Scans from too short to a full turn, in one arc and in two, the detector centred and not.
  static std::vector<ScanSpec> partial_scans() {
    std::vector<ScanSpec> specs;
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc})
      for (const double central : {199.5, 199.25, 150.0, 20.0, 390.0})
        for (const double span : {140.0, 216.0, 250.0, 330.0, 360.0}) {
          ScanSpec spec = scan(Beam::fan, shape, static_cast<int>(span), span);
          spec.central_column = central;
          specs.push_back(spec);
          spec.view_angles_rad.erase(spec.view_angles_rad.begin() + 60,
                                     spec.view_angles_rad.begin() + 110);  // in two arcs
          specs.push_back(spec);
        }
    return specs;
  }

  void weightsOfOppositeRaysAddUpToOne() {
    for (const ScanSpec& spec : partial_scans()) {
      const auto geometry = share(spec);
      const RayRedundancy redundancy(*geometry);
      const double low = geometry->fan_angle_rad(-0.5),
                   high = geometry->fan_angle_rad(geometry->columns() - 0.5);
      for (int v = 0; v < geometry->views(); v += 3)
        for (int c = 0; c < geometry->columns(); c += 7) {
          const double t = geometry->angle_rad(v), b = geometry->fan_angle_rad(c),
                       opposite = t + pi - 2 * b;
          const double w = redundancy.weight(t, b);
          QVERIFY(w >= 0 && w <= 1);
          const bool measured =
              redundancy.coverage().depth_rad(opposite) > 0 && -b > low && -b < high;
          if (measured)
            EXPECT_NEAR(w + redundancy.weight(opposite, -b), 1, 1e-11);
          else
            QCOMPARE(w, 1.0);
        }
    }
  }

  // Parker, Med. Phys. 9 (1982) 254, eq. 12, for a scan of half a turn and the fan.
  void weightsOfAShortScanAreParkers() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::arc, 1, 360);
    spec.central_column = 199.5;
    const double half_fan = 200 * 0.8 / 500, step = (pi + 2 * half_fan) / 400;
    spec.view_angles_rad.clear();
    for (int v = 0; v < 400; ++v) spec.view_angles_rad.push_back(1 + (v + 0.5) * step);
    const auto geometry = share(spec);
    const RayRedundancy redundancy(*geometry);
    for (int v = 0; v < 400; ++v)
      for (int c = 0; c < 400; c += 3) {
        const double t = (v + 0.5) * step, b = geometry->fan_angle_rad(c);
        double parker = 1;
        if (t < 2 * (half_fan + b))
          parker = std::pow(std::sin(pi / 4 * t / (half_fan + b)), 2);
        else if (t > pi + 2 * b)
          parker = std::pow(std::sin(pi / 4 * (pi + 2 * half_fan - t) / (half_fan - b)), 2);
        EXPECT_NEAR(redundancy.weight(geometry->angle_rad(v), b), parker, 1e-9);
      }
  }

  // Wang, Med. Phys. 29 (2002) 1634, for two half fans that share the middle.
  void weightsOfAHalfFanAreWangs() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::arc, 360, 360);
    spec.central_column = 99.5;
    const auto geometry = share(spec);
    const RayRedundancy redundancy(*geometry);
    const double overlap = 100 * 0.8 / 500;
    for (int c = 0; c < 400; ++c) {
      const double b = geometry->fan_angle_rad(c);
      EXPECT_NEAR(redundancy.weight(0.3, b),
                  b > overlap ? 1 : 0.5 * (1 + std::sin(pi / 2 * b / overlap)), 1e-12);
    }
  }

  void fullTurnAndCentredDetectorCountOneHalf() {
    ScanSpec spec = scan(Beam::fan, DetectorShape::flat, 720, 360);
    spec.central_column = 199.5;
    const auto geometry = share(spec);
    const RayRedundancy redundancy(*geometry);
    for (int c = 0; c < 400; ++c)
      EXPECT_NEAR(redundancy.weight(1.3, geometry->fan_angle_rad(c)), 0.5, 1e-12);
  }

  /// The ramp makes streaks of steps along a row: a centred detector on one arc, and a half fan on
  /// a full turn, have none. Binary weights would step by one half.
  void weightsHaveNoSteps() {
    int compared = 0;
    for (const ScanSpec& spec : partial_scans()) {
      const auto geometry = share(spec);
      const bool centred = spec.central_column == 199.5,
                 full = geometry->views() == 360 && spec.central_column == 150,
                 interrupted = spec.view_angles_rad[60] - spec.view_angles_rad[59] > radians(2);
      if (interrupted || !(centred || full)) continue;
      ++compared;
      const RayRedundancy redundancy(*geometry);
      double steps = 0;
      for (int v = 5; v < geometry->views() - 5; ++v) {
        double previous = redundancy.weight(geometry->angle_rad(v), geometry->fan_angle_rad(0));
        for (int c = 1; c < geometry->columns(); ++c) {
          const double w = redundancy.weight(geometry->angle_rad(v), geometry->fan_angle_rad(c));
          steps = std::max(steps, std::abs(w - previous));
          previous = w;
        }
      }
      QVERIFY2(steps < 0.1, qPrintable(QString::number(steps)));
    }
    QVERIFY(compared > 0);
  }
};

GANTRY_TEST(TestFbp)
#include "test_fbp.moc"
