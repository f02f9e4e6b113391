// The area-integral model against polygon clipping, wedges of a disc, mean chords and the counts of
// an independent program.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/area/area_integral.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/published_scan.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <algorithm>
#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

struct Point {
  double x, y;
};
using Polygon = std::vector<Point>;

/// Sutherland and Hodgman: the part of a convex polygon with nx x + ny y <= c.
Polygon clip(const Polygon& polygon, double nx, double ny, double c) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Point p = polygon[i], q = polygon[(i + 1) % polygon.size()];
    const double dp = nx * p.x + ny * p.y - c, dq = nx * q.x + ny * q.y - c;
    if (dp <= 0) kept.push_back(p);
    if ((dp < 0 && dq > 0) || (dq < 0 && dp > 0)) {
      const double t = dp / (dp - dq);
      kept.push_back({p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)});
    }
  }
  return kept;
}

double area(const Polygon& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i], b = p[(i + 1) % p.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return std::abs(twice) / 2;
}

/// Area of pixel (ix, iy) between the rays of the scan to both edges of a column.
double clipped_area(const ScanGeometry& scan, const VolumeGrid& grid, int view, int column, int ix,
                    int iy) {
  const Vec3 low = grid.voxel_center_mm(ix - 0.5, iy - 0.5, 0),
             high = grid.voxel_center_mm(ix + 0.5, iy + 0.5, 0);
  Polygon polygon = {{low.x, low.y}, {high.x, low.y}, {high.x, high.y}, {low.x, high.y}};
  for (const int side : {-1, 1}) {
    const Ray edge = scan.ray(view, column + 0.5 * side, scan.spec().central_row);
    // The right of the ray is where columns grow.
    const double nx = side * edge.direction.y, ny = -side * edge.direction.x;
    polygon = clip(polygon, nx, ny, nx * edge.origin_mm.x + ny * edge.origin_mm.y);
  }
  return area(polygon);
}

/// A scan of the plane from random angles whose fan reaches beyond the grid on both sides, or not.
ScanSpec random_scan(Beam beam, DetectorShape shape, double cover, unsigned seed) {
  ScanSpec spec = fan_spec(6, 11, cover);
  spec.beam = beam;
  spec.detector = shape;
  spec.source_to_isocenter_mm = 21;
  spec.source_to_detector_mm = 33;
  spec.central_column = 5.3;
  const auto angles = random_values(6, seed, 0.0F, 6.28F);
  spec.view_angles_rad.assign(angles.begin(), angles.end());
  return spec;
}

std::vector<ScanCase> plane_cases() {
  std::vector<ScanCase> cases;
  VolumeGrid square = VolumeGrid::centered(9, 9, 1, {1, 1, 1});
  VolumeGrid flat = VolumeGrid::centered(7, 8, 1, {1.3, 0.6, 1});
  flat.origin_mm = flat.origin_mm + Vec3{0.7, -0.4, 0};
  unsigned seed = 1;
  for (const VolumeGrid& grid : {square, flat})
    for (const double cover : {0.9, 3.0}) {
      const auto add = [&](const char* name, Beam beam, DetectorShape shape) {
        cases.push_back({name, share(random_scan(beam, shape, cover, seed++)), grid});
      };
      add("arc", Beam::fan, DetectorShape::arc);
      add("flat", Beam::fan, DetectorShape::flat);
      add("parallel", Beam::parallel, DetectorShape::flat);
    }
  return cases;
}

/// Area of a disc about (x, y) on the side of smaller columns of the ray to a cell's edge.
double disc_below(const ScanGeometry& scan, int view, double column, double x, double y, double r) {
  const Ray edge = scan.ray(view, column, 0);
  const double s = edge.direction.y * (x - edge.origin_mm.x) -
                   edge.direction.x * (y - edge.origin_mm.y);  // towards larger columns
  const double t = std::clamp(-s / r, -1.0, 1.0);
  return r * r * (pi / 2 + t * std::sqrt(1 - t * t) + std::asin(t));
}

double chord(const Ray& ray, const VolumeGrid& grid) {
  const Vec3 a = grid.lower_corner_mm(), b = grid.upper_corner_mm();
  const double tx = (a.x - ray.origin_mm.x) / ray.direction.x,
               ux = (b.x - ray.origin_mm.x) / ray.direction.x,
               ty = (a.y - ray.origin_mm.y) / ray.direction.y,
               uy = (b.y - ray.origin_mm.y) / ray.direction.y;
  return std::max(0.0, std::min(std::max(tx, ux), std::max(ty, uy)) -
                           std::max(std::min(tx, ux), std::min(ty, uy)));
}

}  // namespace

class TestAreaIntegral : public QObject {
  Q_OBJECT

  CpuBackend backend_;

  std::unique_ptr<Projector> projector(const ScanCase& c, const char* weights) {
    return make_area_integral(backend_, c.geometry, c.grid,
                              {{"normalisation", std::string(weights)}});
  }

  /// Row i of A as a dense vector.
  static std::vector<double> dense_row(const Projector& A, int view, int column) {
    RowWeights row;
    A.row_source()->view_rows(view)->weights(column, 0, row);
    std::vector<double> dense(A.domain_size(), 0.0);
    for (std::size_t k = 0; k < row.size(); ++k) dense[row.voxel[k]] += row.weight[k];
    return dense;
  }

 private slots:
  void weightsAreClippedAreas() {
    double largest = 0;
    for (const ScanCase& c : plane_cases()) {
      const auto A = projector(c, "area");
      const double pixel = c.grid.spacing_mm.x * c.grid.spacing_mm.y;
      for (int v = 0; v < c.geometry->views(); ++v)
        for (int column = 0; column < c.geometry->columns(); ++column) {
          const std::vector<double> row = dense_row(*A, v, column);
          for (int iy = 0; iy < c.grid.ny; ++iy)
            for (int ix = 0; ix < c.grid.nx; ++ix) {
              const double expected = clipped_area(*c.geometry, c.grid, v, column, ix, iy) / pixel;
              EXPECT_NEAR(row[c.grid.index(ix, iy, 0)], expected, 1e-13);
              largest = std::max(largest, expected);
            }
        }
    }
    QVERIFY(largest > 0.9);
  }

  void lengthsAreAreasOverTheStripsWidth() {
    for (const ScanCase& c : plane_cases()) {
      const auto A = projector(c, "length");
      const ScanGeometry& scan = *c.geometry;
      for (int v = 0; v < scan.views(); ++v)
        for (int column = 0; column < scan.columns(); ++column) {
          const std::vector<double> row = dense_row(*A, v, column);
          for (int iy = 0; iy < c.grid.ny; ++iy)
            for (int ix = 0; ix < c.grid.nx; ++ix) {
              const Vec3 p = c.grid.voxel_center_mm(ix, iy, 0), s = scan.view(v).source_mm;
              const double width =
                  scan.beam() == Beam::parallel
                      ? scan.spec().column_pitch_mm
                      : std::hypot(p.x - s.x, p.y - s.y) *
                            (scan.fan_angle_rad(column + 0.5) - scan.fan_angle_rad(column - 0.5));
              EXPECT_NEAR(row[c.grid.index(ix, iy, 0)],
                          clipped_area(scan, c.grid, v, column, ix, iy) / width, 1e-12);
            }
        }
    }
  }

  void aViewSharesOutEveryPixelItCovers() {
    int pixels = 0;
    for (const ScanCase& c : scan_cases()) {
      if (c.geometry->beam() == Beam::cone || c.grid.nz > 1) continue;
      const auto A = projector(c, "area");
      for (int v = 0; v < c.geometry->views(); ++v) {
        std::vector<double> sum(A->domain_size(), 0.0);
        RowWeights row;
        const auto rows = A->row_source()->view_rows(v);
        for (int column = 0; column < c.geometry->columns(); ++column) {
          rows->weights(column, 0, row);
          for (std::size_t k = 0; k < row.size(); ++k) sum[row.voxel[k]] += row.weight[k];
        }
        const Ray first = c.geometry->ray(v, -0.5, 0),
                  last = c.geometry->ray(v, c.geometry->columns() - 0.5, 0);
        const auto inside = [](const Ray& edge, Vec3 p) {
          return edge.direction.y * (p.x - edge.origin_mm.x) -
                 edge.direction.x * (p.y - edge.origin_mm.y);
        };
        for (int iy = 0; iy < c.grid.ny; ++iy)
          for (int ix = 0; ix < c.grid.nx; ++ix) {
            bool covered = true;
            for (const double sx : {-0.5, 0.5})
              for (const double sy : {-0.5, 0.5}) {
                const Vec3 corner = c.grid.voxel_center_mm(ix + sx, iy + sy, 0);
                covered = covered && inside(first, corner) > 0 && inside(last, corner) < 0;
              }
            const double total = sum[c.grid.index(ix, iy, 0)];
            if (covered) {
              ++pixels;
              EXPECT_NEAR(total, 1.0, 1e-12);
            }
            QVERIFY(total <= 1 + 1e-12);
          }
      }
    }
    QVERIFY(pixels > 1000);
  }

  void stripsOfADiscAreItsWedges() {
    const double r = 13, x0 = 4, y0 = -6;
    const VolumeGrid grid = VolumeGrid::centered(320, 320, 1, {0.125, 0.125, 1});
    Array disc = Array::filled(backend_, grid.voxels(), 0);
    constexpr int sub = 8;  // points per pixel and axis
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix)
        for (int k = 0; k < sub * sub; ++k) {
          const Vec3 p = grid.voxel_center_mm(ix + (k % sub + 0.5) / sub - 0.5,
                                              iy + (std::floor(k / sub) + 0.5) / sub - 0.5, 0);
          if (std::hypot(p.x - x0, p.y - y0) < r)
            disc.host()[grid.index(ix, iy, 0)] += 1.0F / (sub * sub);
        }
    for (const DetectorShape shape : {DetectorShape::flat, DetectorShape::arc}) {
      ScanSpec spec = fan_spec(7, 60, 1.5);
      spec.detector = shape;
      const ScanCase c{"disc", share(spec), grid};
      const auto A = projector(c, "area");
      Array y(backend_, A->range_size());
      A->forward(disc, y);
      const double pixel = grid.spacing_mm.x * grid.spacing_mm.y;
      for (int v = 0; v < 7; ++v) {
        double total = 0;
        for (int column = 0; column < 60; ++column) {
          const double found = pixel * y.host()[static_cast<std::size_t>(v * 60 + column)];
          const double wedge = disc_below(*c.geometry, v, column + 0.5, x0, y0, r) -
                               disc_below(*c.geometry, v, column - 0.5, x0, y0, r);
          EXPECT_NEAR(found, wedge, 4e-3 * 2 * r);  // pixels at the rim are of one value
          total += found;
        }
        EXPECT_NEAR(total, pi * r * r, 1e-4 * pi * r * r);
      }
    }
  }

  void rowSumsAreMeanChords() {
    // dA = rho drho db: area over rho and opening is the chord, averaged over the fan of the cell.
    for (const Beam beam : {Beam::fan, Beam::parallel}) {
      ScanSpec spec = fan_spec(8, 48, beam == Beam::fan ? 3 : 2);
      spec.beam = beam;
      const ScanCase c{"square", share(spec), VolumeGrid::centered(64, 64, 1, {1, 1, 1})};
      const auto A = projector(c, "length");
      Array y(backend_, A->range_size());
      A->forward(Array::filled(backend_, A->domain_size(), 1), y);
      constexpr int sub = 2000;
      for (int v = 0; v < 8; ++v)
        for (int column = 0; column < 48; ++column) {
          double mean = 0;
          for (int k = 0; k < sub; ++k)
            mean += chord(c.geometry->ray(v, column + (k + 0.5) / sub - 0.5, 0), c.grid) / sub;
          EXPECT_NEAR(y.host()[static_cast<std::size_t>(v * 48 + column)], mean, 0.01);
        }
    }
  }

  void countsOfWeightsAreThoseOfTheRows() {
    for (const ScanCase& c : scan_cases()) {
      if (c.geometry->beam() == Beam::cone || c.grid.nz > 1) continue;
      const auto A = projector(c, "area");
      for (int v = 0; v < c.geometry->views(); ++v) {
        std::int64_t weights = 0;
        RowWeights row;
        for (int column = 0; column < c.geometry->columns(); ++column) {
          A->row_source()->view_rows(v)->weights(column, 0, row);
          weights += static_cast<std::int64_t>(row.size());
        }
        QCOMPARE(count_area_weights(*c.geometry, c.grid, v), weights);
      }
    }
  }

  void countsOfAWholeMatrix_data() {
    QTest::addColumn<double>("eps");
    QTest::addColumn<double>("first_step");
    QTest::addColumn<int>("views_counted");
    QTest::addColumn<qint64>("weights");
    QTest::newRow("near parallel, first view on the axis") << 0.0436 << 0.0 << 720 << 628855984LL;
    QTest::newRow("near parallel, stored eighth") << 0.0436 << 0.5 << 90 << 78607323LL;
    QTest::newRow("wide fan, stored eighth") << 0.4621 << 0.5 << 90 << 78210704LL;
    QTest::newRow("wide fan, first view on the axis") << 0.4621 << 0.0 << 720 << 625682456LL;
  }
  void countsOfAWholeMatrix() {
    QFETCH(double, eps);
    QFETCH(double, first_step);
    QFETCH(int, views_counted);
    QFETCH(qint64, weights);
    const ScanGeometry scan(published_scan(512, eps, 720, 1024, first_step));
    const VolumeGrid grid = VolumeGrid::centered(512, 512, 1, {1, 1, 1});
    std::int64_t found = 0;
    for (int v = 0; v < views_counted; ++v) found += count_area_weights(scan, grid, v);
    EXPECT_NEAR(static_cast<double>(found), static_cast<double>(weights),
                1e-6 * static_cast<double>(weights));
  }

  void productsAreSumsOverTheRows() {
    for (const ScanCase& c : plane_cases()) {
      const auto A = projector(c, "length");
      const Array x = Array::from(backend_, random_values(A->domain_size(), 21));
      Array y(backend_, A->range_size());
      A->forward(x, y);
      std::size_t i = 0;
      for (int v = 0; v < c.geometry->views(); ++v)
        for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
          const std::vector<double> row = dense_row(*A, v, column);
          double sum = 0;
          for (std::size_t j = 0; j < row.size(); ++j) sum += row[j] * x.host()[j];
          EXPECT_NEAR(y.host()[i], sum, 6e-8 * sum);  // one rounding to float
        }
    }
  }

  /// A detector that sees the middle of the grid only: the transpose is the sum over the rows, and
  /// exactly zero outside the strips, since methods divide by the sums of such pixels.
  void theTransposeIsZeroOutsideTheStrips() {
    std::size_t unseen = 0;
    for (const double degrees : {0.7, 40.0, 100.0, 190.0, 280.0}) {
      ScanSpec spec = fan_spec(1, 40, 0.5);
      spec.view_angles_rad = angles_from_degrees(degrees, 1, 1);
      const ScanCase c{"narrow", share(spec), VolumeGrid::centered(24, 24, 1, {2, 2, 2})};
      const auto A = projector(c, "length");
      const Array y = Array::from(backend_, random_values(A->range_size(), 22));
      Array x(backend_, A->domain_size());
      A->adjoint(y, x);
      std::vector<double> sums(A->domain_size(), 0.0);
      std::size_t i = 0;
      for (int v = 0; v < c.geometry->views(); ++v)
        for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
          const std::vector<double> row = dense_row(*A, v, column);
          for (std::size_t j = 0; j < row.size(); ++j) sums[j] += row[j] * y.host()[i];
        }
      for (std::size_t j = 0; j < sums.size(); ++j) {
        EXPECT_NEAR(x.host()[j], sums[j], 1.2e-7 * sums[j] + 1e-9 * c.grid.spacing_mm.x);
        if (sums[j] > 0) continue;
        ++unseen;
        QVERIFY(x.host()[j] == 0);  // QCOMPARE would take tiny values for zero
      }
    }
    QVERIFY(unseen > 0);
  }

  void resultsDoNotDependOnThreads() {
    for (const ScanCase& c : scan_cases())
      if (c.geometry->beam() != Beam::cone)
        expect_same_products_on_any_threads(*projector(c, "length"));
  }

  void conesAreRefused() {
    ScanSpec spec = fan_spec(3, 9, 4);
    spec.beam = Beam::cone;
    EXPECT_THROWS(
        UsageError,
        projector({"cone", share(spec), VolumeGrid::centered(5, 4, 3, {5, 6, 3})}, "area"),
        "does not cover cone beams");
  }
};

GANTRY_TEST(TestAreaIntegral)

#include "test_area_integral.moc"
