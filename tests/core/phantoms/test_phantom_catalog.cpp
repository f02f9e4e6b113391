// Every phantom of the catalogue: its lines are those of its points, its extent holds it, scans and
// grids of all kinds take it. Then the patterns that are the program's own.
#include "core/base/error.hpp"
#include "tests/support/catalog_phantoms.hpp"
#include "tests/support/phantom_lines.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>

using namespace gantry;
using namespace gantry::test;

namespace {

ScanSpec scan(Beam beam, double radius_mm, int columns, int rows, int views) {
  ScanSpec spec;
  spec.beam = beam;
  spec.source_to_isocenter_mm = 4 * radius_mm;
  spec.source_to_detector_mm = 6 * radius_mm;
  spec.detector_columns = columns;
  spec.detector_rows = rows;
  spec.column_pitch_mm = spec.row_pitch_mm =
      (beam == Beam::parallel ? 2.1 : 3.3) * radius_mm / columns;
  spec.central_column = (columns - 1) / 2.0;
  spec.central_row = (rows - 1) / 2.0;
  spec.view_angles_rad = angles_from_degrees(7, 360.0 / views, views);
  return spec;
}

std::vector<float> project(const Phantom& phantom, const ScanGeometry& geometry, int subrays) {
  std::vector<float> p(geometry.rays());
  project_exactly(phantom, geometry, subrays, p);
  return p;
}

/// |a - b| / |b| over all voxels.
double difference(std::span<const float> a, std::span<const float> b) {
  double square = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    square += std::pow(static_cast<double>(a[i]) - b[i], 2);
    all += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(square / all);
}

/// Area of the part of a disc of radius r that lies below the height s above its centre.
double segment_area(double r, double s) {
  const double t = std::clamp(s / r, -1.0, 1.0);
  return r * r * (pi / 2 + t * std::sqrt(1 - t * t) + std::asin(t));
}

}  // namespace

class TestPhantomCatalog : public QObject {
  Q_OBJECT

  static void each_phantom() {
    QTest::addColumn<QString>("key");
    for (const auto& entry : phantoms().entries())
      QTest::newRow(entry.key.c_str()) << QString::fromStdString(entry.key);
  }
  static std::unique_ptr<Phantom> chosen() {
    QFETCH(QString, key);
    return phantom(key.toStdString());
  }

 private slots:
  void linesAreThoseOfThePoints_data() { each_phantom(); }
  void linesAreThoseOfThePoints() {
    const auto phantom = chosen();
    const Vec3 half = phantom->half_extent_mm();
    const double reach = norm(half) + 5, step = reach / 4000;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    int close = 0, hits = 0;
    constexpr int rays = 40;
    for (int i = 0; i < rays; ++i) {
      const double turn = pi * unit(random), rise = phantom->is_section() ? 0 : 0.4 * unit(random);
      const Vec3 d = normalized({std::cos(turn), std::sin(turn), rise});
      const Vec3 through{0.8 * half.x * unit(random), 0.8 * half.y * unit(random),
                         0.8 * half.z * unit(random)};
      const Ray ray{through - 3 * reach * d, d};
      const double exact = phantom->line_integral(ray);
      const double expected = integral_by_bisection(*phantom, ray, reach, step);
      // a sliver may be overlooked, sums of ellipses are equal only to rounding
      EXPECT_NEAR(exact, expected, 0.01 * (expected + 0.02 * reach));
      close += std::abs(exact - expected) < 1e-6 * (1 + expected);
      hits += exact > 0;
    }
    QVERIFY2(close >= 0.8 * rays, qPrintable(QString::number(close)));
    QVERIFY(hits > rays / 2);
  }

  void theExtentHoldsIt_data() { each_phantom(); }
  void theExtentHoldsIt() {
    const auto phantom = chosen();
    const Vec3 half = phantom->half_extent_mm();
    QVERIFY(half.x > 0 && half.y > 0 && (half.z > 0) != phantom->is_section());
    std::mt19937 random(4);
    std::uniform_real_distribution<double> unit(-1.3, 1.3);
    int inside = 0;
    for (int i = 0; i < 40000; ++i) {
      const Vec3 p{half.x * unit(random), half.y * unit(random), half.z * unit(random)};
      const double mu = phantom->mu_at(p);
      QVERIFY(std::isfinite(mu) && mu > -1e-12);
      if (std::abs(p.x) > half.x || std::abs(p.y) > half.y || std::abs(p.z) > half.z)
        EXPECT_NEAR(mu, 0, 0);
      inside += mu > 0;
    }
    QVERIFY(inside > 1200);
  }

  void voxelsAndProjectionsHaveTheSameMass_data() { each_phantom(); }
  void voxelsAndProjectionsHaveTheSameMass() {
    const auto phantom = chosen();
    const Vec3 half = phantom->half_extent_mm();
    const double radius = std::max(half.x, half.y);
    const int n = 100, nz = phantom->is_section() ? 1 : 40;
    const double d = 2.02 * radius / n, dz = phantom->is_section() ? 1 : 2.02 * half.z / nz;
    const std::vector<float> mu = draw(*phantom, VolumeGrid::centered(n, n, nz, {d, d, dz}), 3);
    ScanSpec spec = scan(Beam::parallel, radius, 150, nz, 2);
    spec.row_pitch_mm = dz;
    const ScanGeometry geometry(spec);
    const std::vector<float> p = project(*phantom, geometry, 3);
    for (std::size_t view = 0; view < 2; ++view) {
      const double mass = sum(std::span(p).subspan(view * geometry.cells(), geometry.cells()));
      EXPECT_NEAR(mass * spec.column_pitch_mm / (sum(mu) * d * d), 1, 4e-3);
    }
  }

  void aRayOfAFanMeetsThePlaneAtItsHeight_data() { each_phantom(); }
  void aRayOfAFanMeetsThePlaneAtItsHeight() {
    const auto phantom = chosen();
    const Vec3 half = phantom->half_extent_mm();
    ScanSpec spec = scan(Beam::fan, std::max(half.x, half.y), 24, 5, 3);
    spec.row_pitch_mm = phantom->is_section() ? 1 : 2 * half.z / 6;
    const ScanGeometry geometry(spec);
    const std::vector<float> p = project(*phantom, geometry, 1);
    for (std::size_t view = 0; view < 3; ++view)
      for (std::size_t row = 0; row < 5; ++row)
        for (std::size_t column = 0; column < 24; ++column) {
          const Ray ray = geometry.ray(static_cast<int>(view), static_cast<double>(column), 2);
          const Ray raised{
              ray.origin_mm + Vec3{0, 0, (static_cast<double>(row) - 2) * spec.row_pitch_mm},
              ray.direction};
          EXPECT_NEAR(p[(view * 5 + row) * 24 + column], phantom->line_integral(raised), 1e-4);
        }
    spec.beam = Beam::cone;
    if (phantom->is_section())
      EXPECT_THROWS(UsageError, project(*phantom, ScanGeometry(spec), 1), "cone beam of 5 rows");
    else
      QVERIFY(sum(project(*phantom, ScanGeometry(spec), 1)) > 0);
  }

  /// 6 exchanges of axes times 8 mirrors.
  void theOrientationPhantomLooksDifferentFromEverySide() {
    const int n = 40;
    const std::vector<float> mu =
        draw(*densities("orientation"), VolumeGrid::centered(n, n, n, {5, 5, 5}), 2);
    std::array<std::size_t, 3> axes = {0, 1, 2};
    int others = 0;
    do {
      for (int mirrors = 0; mirrors < 8; ++mirrors) {
        std::vector<float> turned(mu.size());
        for (int z = 0; z < n; ++z)
          for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
              std::array<int, 3> to{}, from = {x, y, z};
              for (std::size_t a = 0; a < 3; ++a)
                to[a] = (mirrors >> a & 1) != 0 ? n - 1 - from[axes[a]] : from[axes[a]];
              const auto at = [n](int i, int j, int k) {
                return static_cast<std::size_t>((k * n + j) * n + i);
              };
              turned[at(to[0], to[1], to[2])] = mu[at(x, y, z)];
            }
        const double apart = difference(turned, mu);
        if (mirrors == 0 && axes == std::array<std::size_t, 3>{0, 1, 2}) {
          EXPECT_NEAR(apart, 0, 0);
        } else {
          QVERIFY2(apart > 0.1, qPrintable(QString::number(apart)));
          ++others;
        }
      }
    } while (std::ranges::next_permutation(axes).found);
    QCOMPARE(others, 47);
  }

  void theOrientationPhantomSaysWhereTheAxesPoint() {
    const auto space = densities("orientation"),
               plane = densities("orientation", {{"section", true}});
    expect_values_at(*space, 1,
                     {{{82, 0, 0}, 1.8},
                      {{-82, 0, 0}, 0},
                      {{0, 82, 0}, 0},
                      {{-50, 80, 0}, 1.8},
                      {{-15, 80, 0}, 1.8},
                      {{-35, 0, 80}, 1.8},
                      {{-35, 0, -80}, 0},
                      {{40, 41, 40}, 1.2},
                      {{40, 41, -20}, 0},
                      {{20, -15, -40}, 1.2},
                      {{20, -15, 20}, 0},
                      {{-35, -70, 50}, 1},
                      {{-35, -70, -50}, 1}});
    expect_values_at(*plane, 1,
                     {{{82, 0, 500}, 1.8},
                      {{-50, 80, 500}, 1.8},
                      {{40, 41, 500}, 1.2},
                      {{20, -15, 500}, 1.2},
                      {{40, -15, 500}, 0},
                      {{-35, -70, 500}, 1}});
  }

  void discsStandOnARing() {
    const auto discs = densities("discs", {{"number", std::int64_t{4}}, {"contrast", 0.25}});
    expect_values_at(*discs, 1,
                     {{{0, 0, 0}, 1},
                      {{60 + 9, 0, 0}, 1.25},
                      {{0, 60, 9}, 1.25},
                      {{-60, 0, 0}, 1.25},
                      {{60 / std::sqrt(2), 60 / std::sqrt(2), 0}, 1},
                      {{101, 0, 0}, 0}});
    const auto high = densities("discs", {{"height_mm", 40.0}});
    expect_values_at(*high, 1, {{{60, 0, 19}, 1.5}, {{60, 0, 21}, 0}});
    QVERIFY(!high->is_section());
    const double mass = pi * (100 * 100 + 8 * 0.5 * 10 * 10);
    const std::vector<float> mu =
        draw(*densities("discs"), VolumeGrid::centered(256, 256, 1, {0.8, 0.8, 1}), 4);
    EXPECT_NEAR(sum(mu) * 0.64 / mass, 1, 2e-4);
    EXPECT_THROWS(UsageError, densities("discs", {{"disc_radius_mm", 30.0}}),
                  "8 discs of this radius overlap");
    EXPECT_THROWS(UsageError,
                  densities("discs", {{"number", std::int64_t{1}}, {"disc_radius_mm", 50.0}}),
                  "do not fit into a body of 100 mm");
  }

  /// Edges of bars in mm, from the definition: 5 / f wide, four of them, gaps as wide.
  void barsHaveTheirFrequencies() {
    const auto bars = densities("bar_pattern");
    std::vector<double> widths;
    double edge = 0;
    bool in_bar = false;
    for (double x = -99; x < 99; x += 0.001) {
      const bool bar = bars->mu_at({x, 5 + 2.5 / 12 * 7 + 0.6, 0}) > 1.5;  // across all squares
      if (bar == in_bar) continue;
      if (in_bar) widths.push_back(x - edge);
      in_bar = bar;
      edge = x;
    }
    QCOMPARE(widths.size(), std::size_t{24});
    for (std::size_t i = 0; i < widths.size(); ++i)
      EXPECT_NEAR(widths[i], 5.0 / (2 + 2 * static_cast<double>(i / 4)), 0.003);
    // the other way round below
    int changes = 0;
    bool before = false;
    for (double y = -40; y < 0; y += 0.001) {
      const bool bar = bars->mu_at({-20, y, 0}) > 1.5;
      changes += bar != before;
      before = bar;
    }
    QCOMPARE(changes, 8);
    EXPECT_THROWS(UsageError, densities("bar_pattern", {{"coarsest", 0.2}}), "do not fit");
  }

  void rodsAndTargetsAreCounted() {
    // sectors of 1 + 2 + .. + k rods, 2 d apart: the mass says how many there are
    const auto rods = densities("resolution_inserts");
    const VolumeGrid grid = VolumeGrid::centered(512, 512, 1, {0.4, 0.4, 1});
    double mass = pi * 100 * 100;
    for (int sector = 0; sector < 6; ++sector) {
      const double d = 8 - 1.2 * sector;
      int row = 0;
      while (std::hypot(2 * d + 4 + row * d * std::sqrt(3.0), row * d) + d / 2 <= 94) ++row;
      mass += pi * d * d / 4 * row * (row + 1) / 2;
    }
    EXPECT_NEAR(sum(draw(*rods, grid, 4)) * 0.16 / mass, 1, 1e-4);
    expect_values_at(*rods, 1, {{{0, 20, 0}, 2}, {{0, 20 + 4.1, 0}, 1}, {{0, 0, 0}, 1}});

    const auto targets = densities("contrast_inserts", {{"contrast_percent", 10.0}});
    const double strong = 1.1, weak = 1.03;
    expect_values_at(*targets, 1, {{{0, 57, 0}, strong}, {{0, 58, 0}, 1}, {{0, 50, 0}, strong}});
    const double right = 7 * pi / 6 + 2 * pi / 3;  // where the third group begins
    expect_values_at(*targets, 1, {{{50 * std::cos(right), 50 * std::sin(right), 0}, weak}});
    const double area = 15 * 15 + 81 + 64 + 49 + 36 + 25 + 16 + 9 + 4;
    const double expected = pi * 1e4 + pi / 4 * area * 0.1 * 1.8;
    EXPECT_NEAR((sum(draw(*targets, grid, 4)) * 0.16 - expected) / (expected - pi * 1e4), 0, 0.05);
  }

  void randomEllipsesFollowTheirSeed() {
    const VolumeGrid plane = VolumeGrid::centered(64, 64, 1, {3.2, 3.2, 3.2});
    const auto first = draw(*densities("random_ellipses"), plane, 2);
    QVERIFY(first == draw(*densities("random_ellipses"), plane, 2));
    const auto other = draw(*densities("random_ellipses", {{"seed", std::int64_t{2}}}), plane, 2);
    QVERIFY(difference(other, first) > 0.1);
    // the earlier ones stay where they are
    const auto few = densities("random_ellipses", {{"number", std::int64_t{5}}}),
               more = densities("random_ellipses", {{"number", std::int64_t{6}}});
    std::set<double> changed;
    for (int iy = 0; iy < 64; ++iy)
      for (int ix = 0; ix < 64; ++ix)
        if (const Vec3 p = plane.voxel_center_mm(ix, iy, 0); few->mu_at(p) != more->mu_at(p))
          changed.insert(more->mu_at(p));
    QCOMPARE(changed.size(), std::size_t{1});
    for (const float mu : draw(*densities("random_ellipses", {{"contrast", 0.2}}), plane, 1))
      QVERIFY(mu > -1e-6 && mu < 1.2001);
    const auto balls = densities("random_ellipses", {{"volume", true}});
    QVERIFY(!balls->is_section());
    QVERIFY(balls->mu_at({0, 0, 99}) > 0);
    EXPECT_NEAR(balls->mu_at({80, 80, 0}), 0, 0);
  }

  /// A cell of a fan sees the wedge between its edges: differences of segment areas; their sum is
  /// the disc. Off the middle, on an arc.
  void cellsOfAFanHoldTheirWedgesOfADisc() {
    const auto disc = densities(
        "discs", {{"number", std::int64_t{1}}, {"contrast", 1.0}, {"disc_radius_mm", 30.0}});
    const auto body = densities(
        "discs", {{"number", std::int64_t{1}}, {"contrast", 0.0}, {"disc_radius_mm", 30.0}});
    ScanSpec spec = scan(Beam::fan, 100, 400, 1, 5);
    spec.detector = DetectorShape::arc;
    const ScanGeometry geometry(spec);
    const std::vector<float> with = project(*disc, geometry, 16),
                             without = project(*body, geometry, 16);
    const double x0 = 60, r = 30, sid = 400;
    for (int view = 0; view < 5; ++view) {
      const double t = geometry.angle_rad(view);
      // the distance of a ray from the disc's centre, and how fast it grows with the fan angle
      const auto offset = [&](double b) { return sid * std::sin(b) - x0 * std::cos(t - b); };
      const auto growth = [&](double b) { return sid * std::cos(b) - x0 * std::sin(t - b); };
      double total = 0, peak = 0, worst = 0;
      for (int column = 0; column < 400; ++column) {
        const double b = geometry.fan_angle_rad(column), low = geometry.fan_angle_rad(column - 0.5),
                     high = geometry.fan_angle_rad(column + 0.5);
        const double wedge = std::abs(segment_area(r, offset(high)) - segment_area(r, offset(low)));
        const auto i = static_cast<std::size_t>(view * 400 + column);
        const double cell = (static_cast<double>(with[i]) - without[i]) * std::abs(growth(b)) *
                            std::abs(high - low);
        worst = std::max(worst, std::abs(cell - wedge));
        peak = std::max(peak, wedge);
        total += cell;
      }
      QVERIFY2(worst < 2e-3 * peak, qPrintable(QString::number(worst / peak)));
      EXPECT_NEAR(total / (pi * r * r), 1, 1e-4);
    }
  }
};

GANTRY_TEST(TestPhantomCatalog)
#include "test_phantom_catalog.moc"
