#include "core/base/error.hpp"
#include "core/base/registry.hpp"
#include "core/phantoms/forbild_head.hpp"
#include "core/phantoms/shape_phantom.hpp"
#include "core/phantoms/shepp_logan.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/test_program.hpp"

#include <array>
#include <numeric>
#include <random>
#include <vector>

using namespace gantry;

namespace {

ScanSpec fan(DetectorShape shape, int columns, int views) {
  ScanSpec spec;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 541;
  spec.source_to_detector_mm = 949;
  spec.detector_columns = columns;
  spec.column_pitch_mm = 560.0 / columns;
  spec.row_pitch_mm = 1;
  spec.central_column = (columns - 1) / 2.0;
  spec.view_angles_rad = angles_from_degrees(0, 360.0 / views, views);
  return spec;
}

ScanSpec parallel(int columns, double pitch_mm, int views) {
  ScanSpec spec = fan(DetectorShape::flat, columns, views);
  spec.beam = Beam::parallel;
  spec.column_pitch_mm = pitch_mm;
  return spec;
}

ShapePhantom disc(double x0_mm, double y0_mm, double radius_mm, double mu) {
  return {{{.x0_mm = x0_mm, .y0_mm = y0_mm, .a_mm = radius_mm, .b_mm = radius_mm, .mu = mu}},
          {200, 200, 0}};
}

std::unique_ptr<Phantom> forbild(bool ear, bool resolution = false, double mu_water = 1.0) {
  return make_forbild_head({{"ear", ear}, {"resolution", resolution}, {"mu_water", mu_water}});
}

std::unique_ptr<Phantom> shepp_logan(const std::string& contrast, double size_mm) {
  return make_shepp_logan({{"size_mm", size_mm}, {"mu_scale", 1.0}, {"contrast", contrast}});
}

std::vector<float> project(const Phantom& phantom, const ScanSpec& spec, int subrays) {
  const ScanGeometry geometry(spec);
  std::vector<float> p(geometry.rays());
  project_exactly(phantom, geometry, subrays, p);
  return p;
}

double sum(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// 2 A a b sqrt(g2 - s^2) / g2 with s the distance of the line from the centre, along its normal
/// (Kak and Slaney, Principles of Computerized Tomographic Imaging, eq. 3.9 and 3.10).
double ellipse_integral(const EllipseShape& e, const Ray& ray) {
  const double normal_rad = std::atan2(-ray.direction.x, ray.direction.y);
  const double s = (ray.origin_mm.x - e.x0_mm) * std::cos(normal_rad) +
                   (ray.origin_mm.y - e.y0_mm) * std::sin(normal_rad);
  const double g2 = std::pow(e.a_mm * std::cos(normal_rad - e.angle_rad), 2) +
                    std::pow(e.b_mm * std::sin(normal_rad - e.angle_rad), 2);
  return 2 * e.mu * e.a_mm * e.b_mm * std::sqrt(std::max(g2 - s * s, 0.0)) / g2;
}

/// Midpoint rule over 700 mm about the point of the ray that is nearest to the axis.
double numeric_integral(const Phantom& phantom, const Ray& ray, int steps) {
  const double nearest = -dot(ray.origin_mm, ray.direction), step = 700.0 / steps;
  double total = 0;
  for (int i = 0; i < steps; ++i)
    total += phantom.mu_at(ray.origin_mm + (nearest - 350 + (i + 0.5) * step) * ray.direction);
  return total * step;
}

/// Area of the part of a disc of radius r that lies below the height s above its centre.
double segment_area(double r, double s) {
  const double t = std::clamp(s / r, -1.0, 1.0);
  return r * r * (pi / 2 + t * std::sqrt(1 - t * t) + std::asin(t));
}

/// A ball: what a 3D phantom looks like to the sampling functions.
class Ball : public Phantom {
 public:
  Ball(Vec3 center_mm, double radius_mm) : center_(center_mm), radius_(radius_mm) {}
  double mu_at(Vec3 p) const override { return norm(p - center_) <= radius_ ? 1.0 : 0.0; }
  double line_integral(const Ray& ray) const override {
    const double away = norm(cross(center_ - ray.origin_mm, ray.direction));
    return away < radius_ ? 2 * std::sqrt(radius_ * radius_ - away * away) : 0.0;
  }
  Vec3 half_extent_mm() const override { return {100, 100, 100}; }
  bool is_section() const override { return false; }

 private:
  Vec3 center_;
  double radius_;
};

}  // namespace

class TestPhantoms : public QObject {
  Q_OBJECT
 private slots:
  void ellipseIntegralsFollowTheTextbook() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const ScanGeometry geometry(fan(DetectorShape::arc, 64, 40));
    int hits = 0;
    for (int view = 0; view < geometry.views(); ++view) {
      const EllipseShape e{.x0_mm = 60 * unit(random),
                           .y0_mm = 60 * unit(random),
                           .a_mm = 40 + 38 * unit(random),
                           .b_mm = 40 + 38 * unit(random),
                           .angle_rad = 3 * unit(random),
                           .mu = 1 + unit(random)};
      const ShapePhantom phantom({e}, {140, 140, 0});
      for (int column = 0; column < geometry.columns(); ++column) {
        const Ray ray = geometry.ray(view, column, 0);
        const double expected = ellipse_integral(e, ray);
        hits += expected > 0;
        // near a tangent the root amplifies rounding
        EXPECT_NEAR(phantom.line_integral(ray), expected, 1e-9 * (1 + expected));
      }
    }
    QVERIFY(hits > 500);
  }

  void manyEllipsesAdd() {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<EllipseShape> shapes(60);
    for (EllipseShape& e : shapes)
      e = {.x0_mm = 90 * unit(random),
           .y0_mm = 90 * unit(random),
           .a_mm = 6 + 5 * unit(random),
           .b_mm = 6 + 5 * unit(random),
           .angle_rad = 3 * unit(random),
           .mu = unit(random)};
    const ShapePhantom phantom(shapes, {110, 110, 0});
    const ScanGeometry geometry(fan(DetectorShape::flat, 100, 12));
    for (int view = 0; view < geometry.views(); ++view)
      for (int column = 0; column < geometry.columns(); ++column) {
        const Ray ray = geometry.ray(view, column, 0);
        double expected = 0;
        for (const EllipseShape& e : shapes) expected += ellipse_integral(e, ray);
        EXPECT_NEAR(phantom.line_integral(ray), expected, 1e-8);
      }
  }

  void clippedShapesMatchNumericIntegration() {
    for (const bool resolution : {false, true}) {
      const auto phantom = forbild(true, resolution);
      // columns across the head, the ears, and the bones at the back
      const ScanGeometry geometry(fan(DetectorShape::flat, 17, 9));
      double peak = 0, worst = 0;
      for (int view = 0; view < geometry.views(); ++view)
        for (int column = 0; column < geometry.columns(); ++column) {
          const Ray ray = geometry.ray(view, column + 0.31, 0);
          const double exact = phantom->line_integral(ray);
          worst = std::max(worst, std::abs(exact - numeric_integral(*phantom, ray, 300000)));
          peak = std::max(peak, exact);
        }
      QVERIFY(peak > 200);  // mm of water
      EXPECT_NEAR(worst / peak, 0, 1e-4);
    }
    // rays that run along and across the clip lines of single shapes
    const auto head = forbild(true);
    for (const double y : {-109.0, -107.1177, -104.0, 36.0, 38.788399, 38.7885, 90.0, 96.0, 102.0})
      for (const double slope : {0.0, 0.01, -0.03}) {
        const Ray ray{{-300, y - 300 * slope, 0}, normalized({1, slope, 0})};
        EXPECT_NEAR(head->line_integral(ray), numeric_integral(*head, ray, 200000), 0.03);
      }
  }

  void forbildHasItsTablesDensities() {
    const auto head = forbild(true), plain = forbild(false), pattern = forbild(true, true);
    struct Place {
      double x_mm, y_mm, density;
    };
    // clang-format off
    for (const Place& place : std::vector<Place>{
             {0, 117, 1.8}, {-93, 0, 1.8}, {30, -40, 1.05}, {-47, 43, 1.06}, {47, 43, 1.06},
             {0, -36, 1.045}, {0, 70, 0}, {0, 96, 1.8}, {2.1, 96, 0}, {-10.8, -90, 1.0525},
             {10.8, -90, 1.0475}, {63.9, -63.9, 1.055}, {0, 36, 1.8}, {11.9, 36, 1.8},
             {12.1, 36, 1.05}, {0, 39.3, 1.05}, {19, 54, 1.8}, {-19, 54, 1.8}, {-43, 68, 1.8},
             {43, 68, 1.8}, {43 + 15.6, 68 + 8.9, 1.8}, {43 + 15.6, 68 - 8.9, 1.05},
             {-43 - 15.6, 68 + 8.9, 1.8}, {19 + 5, 54 + 8.5, 1.8}, {19 - 5, 54 + 8.5, 1.05},
             {0, -108, 1.8}, {0, -105, 1.8}, {4, -105, 1.05}, {0, -103, 1.05},
             {63.9 + 5.3, -63.9 + 8.5, 1.055}, {63.9 - 5.3, -63.9 + 8.5, 1.05}, {97, 0, 0},
             {0, -121, 0}}) {
      EXPECT_NEAR(head->mu_at({place.x_mm, place.y_mm, 0}), place.density, 1e-9);
      EXPECT_NEAR(plain->mu_at({place.x_mm, place.y_mm, 0}), place.density, 1e-9);
    }
    // the right ear: an air cell, bone beside it, the skull that stays
    for (const Place& place : std::vector<Place>{
             {88, 0, 0}, {56, 0, 0}, {86, 3.4641, 0}, {86, -3.4641, 0}, {88, 6.9282, 0},
             {86, -10.3923, 0}, {66, 10.3923, 0}, {62, 10.3923, 1.8}, {58, 3.4641, 0},
             {54, 3.4641, 1.8}, {60, 6.9282, 0}, {56, 6.9282, 1.8}, {90, 0, 1.8}, {52, 0, 1.8}}) {
      EXPECT_NEAR(head->mu_at({place.x_mm, place.y_mm, 0}), place.density, 1e-9);
    }
    // clang-format on
    EXPECT_NEAR(plain->mu_at({88, 0, 0}), 1.05, 1e-9);
    EXPECT_NEAR(head->mu_at({-70, -10, 0}), 1.05, 1e-9);
    // first and last disc of the pattern, and the gap between two discs of a column
    EXPECT_NEAR(pattern->mu_at({-70, -10, 0}), 1.8, 1e-9);
    EXPECT_NEAR(pattern->mu_at({-70, -10 + 0.357, 0}), 1.05, 1e-9);
    EXPECT_NEAR(pattern->mu_at({-70 + 2.4, -10 + 14.4 + 2.0, 0}), 1.8, 1e-9);
    EXPECT_NEAR(forbild(true, false, 0.02)->mu_at({0, 117, 0}), 0.036, 1e-12);
  }

  void forbildHasNoOtherDensities() {
    const std::array known = {0.0, 1.045, 1.0475, 1.05, 1.0525, 1.055, 1.06, 1.8};
    for (const bool ear : {false, true}) {
      const auto head = forbild(ear);
      std::array<int, 8> count{};
      for (int iy = 0; iy < 1000; ++iy)
        for (int ix = 0; ix < 1000; ++ix) {
          const double mu = head->mu_at({-127.9 + 0.256 * ix, -127.9 + 0.256 * iy, 0});
          const auto level = std::ranges::find_if(
              known, [&](double density) { return std::abs(mu - density) < 1e-9; });
          QVERIFY2(level != known.end(), qPrintable(QString::number(mu)));
          ++count[static_cast<std::size_t>(level - known.begin())];
        }
      for (const int pixels : count) QVERIFY(pixels > 100);
    }
  }

  void sheppLoganLevels() {
    const auto original = shepp_logan("original", 2), modified = shepp_logan("modified", 2);
    EXPECT_NEAR(original->mu_at({0, 0.9, 0}), 2, 1e-12);
    EXPECT_NEAR(original->mu_at({0, -0.4, 0}), 1.02, 1e-12);
    EXPECT_NEAR(original->mu_at({0.22, 0, 0}), 1.00, 1e-12);
    EXPECT_NEAR(original->mu_at({0, 0.5, 0}), 1.03, 1e-12);
    EXPECT_NEAR(modified->mu_at({0, 0.9, 0}), 1, 1e-12);
    EXPECT_NEAR(modified->mu_at({0, -0.4, 0}), 0.2, 1e-12);
    EXPECT_NEAR(modified->mu_at({-0.22, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(modified->mu_at({0, 0.5, 0}), 0.3, 1e-12);
    // the right ventricle leans to the right at its top: angle -18 degrees, counter-clockwise
    EXPECT_NEAR(modified->mu_at({0.22 + 0.3 * std::sin(radians(18)), 0.3 * 0.95, 0}), 0, 1e-12);
    EXPECT_NEAR(modified->mu_at({0.22 - 0.3 * std::sin(radians(18)), 0.3 * 0.95, 0}), 0.3, 1e-12);
    EXPECT_NEAR(modified->mu_at({-0.08 + 0.04, -0.605, 0}), 0.3, 1e-12);  // wide
    EXPECT_NEAR(modified->mu_at({0.06, -0.605 + 0.04, 0}), 0.3, 1e-12);   // tall
    EXPECT_NEAR(modified->mu_at({0.06 + 0.03, -0.605, 0}), 0.2, 1e-12);
    EXPECT_NEAR(shepp_logan("modified", 200)->mu_at({0, 90, 0}), 1, 1e-12);
  }

  void massIsTheSameInVoxelsAndInProjections() {
    const auto head = forbild(true);
    const VolumeGrid grid = VolumeGrid::centered(512, 512, 1, {0.5, 0.5, 1});
    std::vector<float> mu(grid.voxels());
    voxelise(*head, grid, 4, mu);
    const double mass = 0.25 * sum(mu);
    const std::vector<float> p = project(*head, parallel(600, 0.5, 7), 4);
    for (std::size_t view = 0; view < 7; ++view)
      EXPECT_NEAR(0.5 * sum(std::span(p).subspan(view * 600, 600)) / mass, 1, 5e-5);

    // Shepp-Logan is nothing but whole ellipses: sum of A pi a b
    const double expected =
        pi * 100 * 100 *
        (.69 * .92 - .8 * .6624 * .874 - .2 * .11 * .31 - .2 * .16 * .41 + .1 * .21 * .25 +
         .1 * 2 * .046 * .046 + .1 * (2 * .046 * .023 + .023 * .023));
    voxelise(*shepp_logan("modified", 200), grid, 4, mu);
    EXPECT_NEAR(0.25 * sum(mu) / expected, 1, 2e-4);
    const std::vector<float> q = project(*shepp_logan("modified", 200), parallel(600, 0.5, 3), 4);
    EXPECT_NEAR(0.5 * sum(q) / 3 / expected, 1, 2e-5);
  }

  void discCellsHoldTheirStripsOfArea() {
    const double r = 30, x0 = 20, y0 = -35, mu = 0.7, pitch = 1.5;
    const ScanGeometry geometry(parallel(160, pitch, 5));
    std::vector<float> p(geometry.rays());
    project_exactly(disc(x0, y0, r, mu), geometry, 64, p);
    for (int view = 0; view < geometry.views(); ++view) {
      const double t = geometry.angle_rad(view);
      double total = 0;
      for (int column = 0; column < geometry.columns(); ++column) {
        const double s = (column - 79.5) * pitch - (x0 * std::cos(t) + y0 * std::sin(t));
        const double strip = mu * (segment_area(r, s + pitch / 2) - segment_area(r, s - pitch / 2));
        const double cell = p[static_cast<std::size_t>(view * 160 + column)];
        EXPECT_NEAR(cell * pitch, strip, 1e-3 * mu * 2 * r * pitch);
        total += cell * pitch;
      }
      EXPECT_NEAR(total, pi * r * r * mu, 2e-5 * pi * r * r * mu);
    }
    // a centred disc in a fan: ds = D cos(b) db
    const ScanGeometry arc(fan(DetectorShape::arc, 500, 2));
    std::vector<float> q(arc.rays());
    project_exactly(disc(0, 0, 100, 1), arc, 4, q);
    double total = 0;
    for (int column = 0; column < 500; ++column)
      total += q[static_cast<std::size_t>(column)] * 541 * std::cos(arc.fan_angle_rad(column)) *
               (arc.fan_angle_rad(1) - arc.fan_angle_rad(0));
    EXPECT_NEAR(total / (pi * 1e4), 1, 5e-5);
  }

  void offCentreDiscLandsWhereTheFrameSays() {
    const double x = 50, y = 30;
    const ShapePhantom phantom = disc(x, y, 1.0, 1.0);
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc}) {
      const ScanSpec spec = fan(shape, 700, 8);
      const std::vector<float> p = project(phantom, spec, 4);
      for (std::size_t view = 0; view < 8; ++view) {
        double mass = 0, moment = 0;
        for (std::size_t column = 0; column < 700; ++column) {
          mass += p[view * 700 + column];
          moment += p[view * 700 + column] * static_cast<double>(column);
        }
        // source SID (sin t, -cos t), columns along (cos t, sin t)
        const double t = spec.view_angles_rad[view];
        const double side = x * std::cos(t) + y * std::sin(t);
        const double depth = 541 - x * std::sin(t) + y * std::cos(t);
        const double along =
            shape == DetectorShape::flat ? 949 * side / depth : 949 * std::atan2(side, depth);
        EXPECT_NEAR(moment / mass, 349.5 + along / spec.column_pitch_mm, 0.05);
      }
    }
    const VolumeGrid grid = VolumeGrid::centered(128, 128, 2, {1, 1, 1});
    std::vector<float> mu(grid.voxels());
    voxelise(phantom, grid, 2, mu);
    QCOMPARE(mu[grid.index(63 + 50, 63 + 30, 0)], 0.75F);
    QCOMPARE(mu[grid.index(63 + 30, 63 + 50, 0)], 0.0F);
    QCOMPARE(mu[grid.index(63 - 50, 63 + 30, 0)], 0.0F);
    QCOMPARE(mu[grid.index(63 + 50, 63 + 30, 1)], 0.75F);  // every slice alike
  }

  void stacksOfFansSeeTheSameSection() {
    ScanSpec spec = fan(DetectorShape::flat, 50, 3);
    const std::vector<float> one = project(*forbild(true), spec, 2);
    spec.detector_rows = 4;
    spec.central_row = 1.5;
    const std::vector<float> four = project(*forbild(true), spec, 2);
    for (std::size_t view = 0; view < 3; ++view)
      for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t column = 0; column < 50; ++column)
          QCOMPARE(four[(view * 4 + row) * 50 + column], one[view * 50 + column]);
  }

  void spacePhantomsFillVolumesAndCones() {
    const Ball ball({10, -5, 20}, 25);
    const VolumeGrid grid = VolumeGrid::centered(64, 60, 70, {1.5, 1.5, 1.5});
    std::vector<float> mu(grid.voxels());
    voxelise(ball, grid, 3, mu);
    EXPECT_NEAR(sum(mu) * std::pow(1.5, 3) / (4.0 / 3 * pi * std::pow(25, 3)), 1, 1e-3);
    double z = 0;
    for (int iz = 0; iz < grid.nz; ++iz)
      z += grid.voxel_center_mm(0, 0, iz).z *
           sum(std::span(mu).subspan(grid.index(0, 0, iz), 64 * 60)) / sum(mu);
    EXPECT_NEAR(z, 20, 1e-3);

    ScanSpec spec = fan(DetectorShape::flat, 120, 2);
    spec.beam = Beam::cone;
    spec.detector_rows = 100;
    spec.row_pitch_mm = 2;
    spec.central_row = 49.5;
    const ScanGeometry geometry(spec);
    std::vector<float> p(geometry.rays());
    project_exactly(ball, geometry, 2, p);
    // view 0: source (0, -541, 0), the ball's centre at depth 536
    const std::size_t row = 49 + std::lround(0.5 + 949 * 20.0 / 536 / 2);
    const std::size_t column = 59 + std::lround(0.5 + 949 * 10.0 / 536 / spec.column_pitch_mm);
    EXPECT_NEAR(p[row * 120 + column], 50, 0.2);
    QVERIFY(p[(99 - row) * 120 + column] < 40);
    // a cell above the middle: two by two rays, by hand
    const double r = static_cast<double>(row) + 20, c = static_cast<double>(column);
    const double expected = (ball.line_integral(geometry.ray(0, c - 0.25, r - 0.25)) +
                             ball.line_integral(geometry.ray(0, c - 0.25, r + 0.25)) +
                             ball.line_integral(geometry.ray(0, c + 0.25, r - 0.25)) +
                             ball.line_integral(geometry.ray(0, c + 0.25, r + 0.25))) /
                            4;
    QVERIFY(expected > 5 && expected < 25);
    EXPECT_NEAR(p[(row + 20) * 120 + column], expected, 1e-5);
  }

  void tiltedRaysCrossTheSectionSlantwise() {
    const Ray ray{{-100, 3, -60}, normalized({1, 0, 0.75})};  // 5/4 of the chord
    EXPECT_NEAR(disc(0, 0, 5, 1).line_integral(ray), 8 * 1.25, 1e-9);
    EXPECT_NEAR(disc(0, 0, 5, 1).line_integral({{0, 0, -10}, {0, 0, 1}}), 0, 0);
  }

  void subRaysAverageTheCell() {
    const ScanSpec spec = parallel(1, 10, 1);  // one cell from -5 to 5 mm, and a disc of 5 mm
    // chords at -3.75, -1.25, 1.25, 3.75 mm
    const double expected = std::sqrt(25 - 3.75 * 3.75) + std::sqrt(25 - 1.25 * 1.25);
    EXPECT_NEAR(project(disc(0, 0, 5, 1), spec, 4)[0], expected, 1e-5);
    EXPECT_NEAR(project(disc(0, 0, 5, 1), spec, 1)[0], 10, 1e-5);
  }

  void misuseIsSaid() {
    const auto head = forbild(true);
    ScanSpec spec = fan(DetectorShape::flat, 10, 4);
    std::vector<float> p(40);
    EXPECT_THROWS(ShapeError, project_exactly(*head, ScanGeometry(spec), 1, std::span(p).first(39)),
                  "size");
    EXPECT_THROWS(UsageError, project_exactly(*head, ScanGeometry(spec), 0, p), "use 1 to 64");
    EXPECT_THROWS(ShapeError, voxelise(*head, VolumeGrid::centered(4, 4, 1, {1, 1, 1}), 1, p),
                  "size");
    spec.source_to_isocenter_mm = 110;
    EXPECT_THROWS(UsageError, project_exactly(*head, ScanGeometry(spec), 1, p),
                  "the source of view 0 stands inside the phantom");
    spec = fan(DetectorShape::flat, 10, 2);
    spec.beam = Beam::cone;
    EXPECT_NEAR(project(*head, spec, 1)[4], project(*head, fan(DetectorShape::flat, 10, 2), 1)[4],
                1e-5);
    spec.detector_rows = 2;
    EXPECT_THROWS(UsageError, project_exactly(*head, ScanGeometry(spec), 1, p),
                  "cannot be seen by a cone beam of 2 rows");
    EXPECT_THROWS(UsageError, ShapePhantom({{.a_mm = 0}}, {1, 1, 0}), "positive half axes");
  }

  void interruptStops() {
    Interrupt interrupt;
    std::vector<float> p(40), mu(16, -1.0F);
    const ScanGeometry geometry(fan(DetectorShape::flat, 10, 4));
    const VolumeGrid grid = VolumeGrid::centered(4, 4, 1, {1, 1, 1});
    interrupt.raise();
    QVERIFY_EXCEPTION_THROWN(project_exactly(*forbild(true), geometry, 1, p, &interrupt),
                             Interrupted);
    QVERIFY_EXCEPTION_THROWN(voxelise(*forbild(true), grid, 1, mu, &interrupt), Interrupted);
    QCOMPARE(mu[5], -1.0F);  // no work was done
    interrupt.lower();
    voxelise(*forbild(true), grid, 1, mu, &interrupt);
    QVERIFY(mu[5] > 0);
  }

  void registryMakesThem() {
    Registry<Phantom> phantoms("phantom");
    phantoms.add({.key = "shepp_logan", .label = "Shepp-Logan", .params = shepp_logan_params()},
                 "any", make_shepp_logan);
    phantoms.add({.key = "forbild_head", .label = "FORBILD head", .params = forbild_head_params()},
                 "any", make_forbild_head);
    const auto head = phantoms.make("forbild_head", "cpu", {});
    EXPECT_NEAR(head->mu_at({0, 117, 0}), 0.036, 1e-12);
    QCOMPARE(head->half_extent_mm(), (Vec3{96, 120, 0}));
    const auto logan = phantoms.make("shepp_logan", "cpu", {{"size_mm", 300.0}});
    EXPECT_NEAR(logan->mu_at({0, 0.9 * 150, 0}), 0.02, 1e-12);
    EXPECT_THROWS(UsageError,
                  phantoms.make("shepp_logan", "cpu", {{"contrast", std::string("high")}}),
                  "modified, original");
  }
};

GANTRY_TEST(TestPhantoms)
#include "test_phantoms.moc"
