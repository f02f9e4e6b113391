// Every phantom of the catalogue: its lines are those of its points, its extent holds it, scans and
// grids of all kinds take it. Then what the tables say of each.
#include "core/base/error.hpp"
#include "core/catalog.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/phantom_lines.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace gantry;
using namespace gantry::test;

namespace {

using Registry = decltype(Catalog::phantoms);

const Registry& phantoms() {
  static const Catalog catalog = [] {
    Catalog all;
    add_core(all);
    return all;
  }();
  return catalog.phantoms;
}

std::unique_ptr<Phantom> phantom(const std::string& key, const Params& params = {}) {
  return phantoms().make(key, "cpu", params);
}

/// With densities instead of attenuations, so that tables are read off.
std::unique_ptr<Phantom> densities(const std::string& key, Params params = {}) {
  params.set("mu_water", 1.0);
  return phantom(key, params);
}

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

std::vector<float> draw(const Phantom& phantom, const VolumeGrid& grid, int subsamples) {
  std::vector<float> mu(grid.voxels());
  voxelise(phantom, grid, subsamples, mu);
  return mu;
}

double sum(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

struct Place {
  Vec3 point;
  double value;
};
void expect_places(const Phantom& phantom, double mm, const std::vector<Place>& places) {
  for (const auto& [point, value] : places) {
    const double mu = phantom.mu_at(mm * point);
    QVERIFY2(std::abs(mu - value) < 1e-9, qPrintable(QStringLiteral("%1 at (%2, %3, %4), not %5")
                                                         .arg(mu)
                                                         .arg(point.x)
                                                         .arg(point.y)
                                                         .arg(point.z)
                                                         .arg(value)));
  }
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

  void threeSheppLogansDiffer() {
    const Params unit = {{"size_mm", 2.0}, {"mu_scale", 1.0}};
    const auto ks = phantom("shepp_logan_ks", unit), yyw = phantom("shepp_logan_yyw", unit),
               ts = phantom("shepp_logan_ts", unit);
    expect_places(*ks, 1,
                  {{{0, .9, 0}, 2},
                   {{0, 0, .89}, 2},
                   {{0, 0, .5}, 1.02},
                   {{.22, 0, -.25}, 1.0},
                   {{-.22, 0, -.25}, 1.0},
                   {{0, .35, -.25}, 1.04},
                   {{-.08, -.65, -.25}, 1.03},
                   {{.06, -.65 + .04, -.25}, 1.03},  // turned by 90 degrees: tall
                   {{.06 + .04, -.65, -.25}, 1.02},
                   {{-.08 + .04, -.65, -.25}, 1.03},
                   {{.06, -.105 + .05, .625}, 1.04},
                   {{0, .1, .625}, 1.0},
                   {{0, 0, .91}, 0}});
    expect_places(*yyw, 1,
                  {{{0, .9, 0}, 1},
                   {{0, 0, .5}, .2},
                   {{.22, 0, -.25}, 0},
                   {{0, .35, -.25}, .4},
                   {{-.08, -.65, -.25}, .3},
                   {{0, .1, .625}, 0}});
    // 3 leans over by 108 degrees from x: its lower end is on the right
    const double c = std::cos(radians(108)), s = std::sin(radians(108));
    expect_places(*ks, 1,
                  {{{-.22 - .4 * c, -.4 * s, -.25}, 1.0}, {{-.22 + .4 * c, -.4 * s, -.25}, 1.02}});
    expect_places(*ts, 1,
                  {{{0, .9, 0}, 1},
                   {{0, 0, .79}, 1},
                   {{0, 0, .7}, .2},
                   {{0, 0, .82}, 0},
                   {{0, .45, -.15}, .3},
                   {{0, .1, .25}, .3},
                   {{0, -.606, 0}, .3}});
    // nothing but whole ellipsoids: sum of 4/3 pi a b c value
    const double volumes = 2 * .69 * .92 * .9 - .98 * .6624 * .874 * .88 - .02 * .41 * .16 * .21 -
                           .02 * .31 * .11 * .22 + .02 * .21 * .25 * .5 + .02 * .046 * .046 * .046 +
                           .01 * 2 * .046 * .023 * .02 + .02 * (.056 * .04 - .056 * .056) * .1;
    const std::vector<float> mu =
        draw(*ks, VolumeGrid::centered(100, 100, 100, {.02, .02, .02}), 3);
    EXPECT_NEAR(sum(mu) * 8e-6 / (4.0 / 3 * pi * volumes), 1, 1e-4);
  }

  /// phantom3d turns the centres with the axes, by -8 and 28 degrees.
  void toftSchabelCentres() {
    for (const bool turned : {true, false}) {
      const auto ts =
          phantom("shepp_logan_ts", {{"size_mm", 2.0},
                                     {"mu_scale", 1.0},
                                     {"centres", std::string(turned ? "turned" : "fixed")}});
      for (const double side : {1.0, -1.0}) {
        const double angle = radians(side > 0 ? -8 : 28), a = side > 0 ? .11 : .16,
                     b = side > 0 ? .31 : .41;
        const Vec3 along{std::cos(angle), std::sin(angle), 0}, up{-along.y, along.x, 0};
        const Vec3 centre = turned ? side * .22 * along : Vec3{side * .22, 0, 0};
        // where no other ellipsoid is: ventricles are 0 in a brain of 0.2
        expect_places(*ts, 1,
                      {{centre + .97 * side * a * along, 0},
                       {centre + 1.03 * side * a * along, .2},
                       {centre - .98 * b * up, 0},
                       {centre - 1.02 * b * up, .2}});
      }
    }
  }

  /// Published: 58 of 1000 x 1000 pixels, all on edges; with the cones upside down 538.
  void forbildHead3dIsThe2dTableInItsMiddle() {
    const auto space = densities("forbild_head_3d"), plane = densities("forbild_head");
    int different = 0;
    for (int iy = 0; iy < 1000; ++iy)
      for (int ix = 0; ix < 1000; ++ix) {
        const Vec3 p{0.256 * (ix - 499.5), 0.256 * (iy - 499.5), 0};
        different += std::abs(space->mu_at(p) - plane->mu_at(p)) > 1e-6;
      }
    QVERIFY2(different <= 58, qPrintable(QString::number(different)));
    QVERIFY(different > 0);
  }

  void forbildHead3dAwayFromItsMiddle() {
    const auto head = densities("forbild_head_3d"),
               plain = densities("forbild_head_3d", {{"ear", false}}),
               pattern = densities("forbild_head_3d", {{"resolution", true}});
    expect_places(*head, 10,
                  {{{0, 0, 12.2}, 1.8},
                   {{0, 0, 11.8}, 1.05},
                   {{4.7, 4.3, 2.8}, 1.06},
                   {{4.7, 4.3, -1.2}, 1.05},
                   {{0, -3.6, 3.5}, 1.045},
                   {{4.3, 6.8, -2.9}, 1.8},  // the bones beside the eyes reach down
                   {{4.3, 6.8, 1.1}, 1.05},
                   {{0, -11, .6}, 1.05},
                   {{0, -11.8, .65}, 1.8},
                   {{0, -10.5, .4}, 1.8},
                   {{0, -10.5, .45}, 1.05},
                   {{8.6, 0, .2 * std::sqrt(3.)}, 0},
                   {{8.8, .2 * std::sqrt(3.), .2 * std::sqrt(3.)}, 0},
                   {{6.6, 0, -.6 * std::sqrt(3.)}, 0},
                   {{6.2, 0, -.6 * std::sqrt(3.)}, 1.8},
                   {{7.6, -.6 * std::sqrt(3.), .6 * std::sqrt(3.)}, 0},
                   {{8.6, .6 * std::sqrt(3.), .4 * std::sqrt(3.)}, 0},
                   {{6.0, 0, .4 * std::sqrt(3.)}, 0}});
    expect_places(*plain, 10, {{{8.6, 0, .2 * std::sqrt(3.)}, 1.05}});
    expect_places(*pattern, 10,
                  {{{-7, -1, 0}, 1.8},
                   {{-7, -1, 3.2}, 1.8},
                   {{-7, -1, .4}, 1.05},
                   {{-7 + .24, -1 + 1.44 + .2, 0}, 1.8},
                   {{-7 + .24, -1 + 1.44, .4}, 1.8}});
  }

  void forbildThoraxHasItsOrgans() {
    const auto thorax = densities("forbild_thorax");
    expect_places(*thorax, 10,
                  {{{23, 1, 20}, 1},
                   {{23, 1, 5}, 0},  // arms begin at z = 10
                   {{10.5, 0, 0}, .26},
                   {{-10.5, 2, 10}, .26},
                   {{0, 9, 10}, .98},
                   {{1.1, 9, 10}, 1.25},
                   {{0, 4, 2}, 1.05},
                   {{-2.5, -2.5, -10}, 1.05},
                   {{0, -5, 9}, 1.18},
                   {{1.6, -5, 9}, 1.92},
                   {{0, -5, 10.5}, 1},       // between two vertebrae
                   {{3.6, -7.37, 9}, 1.92},  // transverse process
                   {{0, -6.9, 9}, 1.92},
                   {{1, -7.3, 9}, 1},     // between arch and spine
                   {{0, -8.5, 9}, 1.92},  // spinous process
                   {{0, -9.3, 9}, 1.92},
                   {{18.5, 0, 3}, .98},
                   {{18.5 + .45, 0, 3}, 1.41},
                   {{-18.5 - .45, 0, -6}, 1.41},
                   {{5.716814, 8.559509, -5.230811 + 6}, .98},
                   {{-14.966814, -5.290067, 3.232819 - 3}, .98},
                   {{-10, 5.5, 16}, .98},
                   {{-10, 5.5, 16.45}, 1.46},
                   {{12, -5, 12}, .98},
                   {{12, -5, 15.2}, 1},  // cut at z = 15
                   {{22, 0, 15}, .98},
                   {{22, 0, 17.3}, 1.46},
                   {{-16.5, 2.3, 15}, 1.46}});
    // The outer end of a rib is the plane (1.983271, -0.155425, 0.094982) / norm at 1.953178.
    const Vec3 normal = normalized({1.983271, -0.155425, 0.094982});
    const Vec3 along = normalized({17.594546, -2.781153, 1.699593});
    const Vec3 centre{5.716814, 8.559509, -5.230811};
    const double end = (1.953178 - dot(normal, centre)) / dot(normal, along);
    expect_places(*thorax, 10,
                  {{centre + (end + 1e-4) * along, .98}, {centre + (end - 1e-4) * along, 1}});
    // mitres are watertight: marrow all the way along the axis of the pieces
    for (double f = 74.8; f > -75; f -= 0.5) {
      const double piece = 18 * std::round(f / 18), t = std::tan(radians(piece - f));
      const double c = std::cos(radians(piece)), s = std::sin(radians(piece));
      expect_places(*thorax, 10,
                    {{Vec3{18.5 * (c + t * s), 9 * (s - t * c), 5.5 * (t * c - s)}, .98}});
    }
  }

  void forbildAbdomenHasItsOrgans() {
    const auto abdomen = densities("forbild_abdomen");
    expect_places(*abdomen, 10,
                  {{{15, 5, 14}, 1},
                   {{15, 5, 15.5}, 0},
                   {{-10, 3, 0}, 1.06},
                   {{-14, 1.2, 0}, 1.05},
                   {{-12.4, -6, 3}, 1.05},
                   {{-12.2, -6, 3}, 1.06},
                   {{-10 + 3.9, 6.7, 0}, 1.06},  // the liver's long axis: 60 degrees
                   {{-10 - 3.9, 6.7, 0}, 1},
                   {{0, 6, 0}, 1.06},
                   {{0, 7, 0}, 0},
                   {{0, 7, 10.5}, 1},
                   {{0, -7, 5}, 1.18},
                   {{0, -7, 7.5}, 1},
                   {{18, 0, 0}, 2},
                   {{18, 3, 1.732}, 2},
                   {{18, 3, -1.732}, 1},
                   {{12, 1, 0}, 2},
                   {{12.05, 1, 0}, 1},
                   {{12.1, 1, 0}, 2},
                   {{14 + .25, 1, .9}, 2},
                   {{12, -1.3, 0}, 2},
                   {{12, -1.25, 0}, 1},
                   {{14, -.75, 0}, 2}});
    const auto published = densities("forbild_abdomen", {{"length_mm", 1000.0}});
    expect_places(*published, 10, {{{15, 5, 49}, 1}});
    QCOMPARE(published->half_extent_mm(), (Vec3{200, 120, 500}));
  }

  void forbildHipAndJawHaveTheirBones() {
    expect_places(*densities("forbild_hip"), 10,
                  {{{15, 3, -7}, 1},
                   {{0, 5, -7}, 0},  // between the legs
                   {{0, 5, 0}, 1},
                   {{-10, 0, -5}, .98},
                   {{-11.2, 0, -5}, 1.43},
                   {{10, 0, -5}, 1.43},
                   {{10, .7, -5}, .98},
                   {{5 - 3.5, 3.5, 2.25}, .98},
                   {{-5 + 3.5, 3.5, 2.25}, .98},
                   {{0, -5, 5}, 1.92},
                   {{7.5, 0, 4.75}, 1.43}});
    expect_places(*densities("forbild_jaw"), 10,
                  {{{5, -3, -4}, 1},
                   {{5, 4, -4}, 0},  // below the chin
                   {{1.5, -4, 0}, 1.92},
                   {{0, -4.5, 0}, .98},
                   {{3, 2.5, .475}, 2.5},
                   {{-.4, 7.6, 1.525}, 2.5},
                   {{3.2, 3, -1}, 1.92},
                   {{0, 3, -1}, 1.1},
                   {{0, .75, -3}, 0},
                   {{0, 4, 2.5}, 0},
                   {{0, 4, 3.75}, 1.61}});
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
    expect_places(*space, 1,
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
    expect_places(*plane, 1,
                  {{{82, 0, 500}, 1.8},
                   {{-50, 80, 500}, 1.8},
                   {{40, 41, 500}, 1.2},
                   {{20, -15, 500}, 1.2},
                   {{40, -15, 500}, 0},
                   {{-35, -70, 500}, 1}});
  }

  void discsStandOnARing() {
    const auto discs = densities("discs", {{"number", std::int64_t{4}}, {"contrast", 0.25}});
    expect_places(*discs, 1,
                  {{{0, 0, 0}, 1},
                   {{60 + 9, 0, 0}, 1.25},
                   {{0, 60, 9}, 1.25},
                   {{-60, 0, 0}, 1.25},
                   {{60 / std::sqrt(2), 60 / std::sqrt(2), 0}, 1},
                   {{101, 0, 0}, 0}});
    const auto high = densities("discs", {{"height_mm", 40.0}});
    expect_places(*high, 1, {{{60, 0, 19}, 1.5}, {{60, 0, 21}, 0}});
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
    expect_places(*rods, 1, {{{0, 20, 0}, 2}, {{0, 20 + 4.1, 0}, 1}, {{0, 0, 0}, 1}});

    const auto targets = densities("contrast_inserts", {{"contrast_percent", 10.0}});
    const double strong = 1.1, weak = 1.03;
    expect_places(*targets, 1, {{{0, 57, 0}, strong}, {{0, 58, 0}, 1}, {{0, 50, 0}, strong}});
    const double right = 7 * pi / 6 + 2 * pi / 3;  // where the third group begins
    expect_places(*targets, 1, {{{50 * std::cos(right), 50 * std::sin(right), 0}, weak}});
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

QTEST_APPLESS_MAIN(TestPhantomCatalog)
#include "test_phantom_catalog.moc"
