// The distance-driven weights against an explicit overlap loop in float64, written from the
// definition: intersect the two edge rays of a cell with each slice, measure overlaps with pixels;
// intersect the rays to a row's two edges that pass through the centre of the voxel column, measure
// overlaps with voxels; divide by the footprint, times path length.
#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/projectors/distance_driven/distance_driven.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/dd_reference.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scan_rows.hpp"
#include "tests/support/test_program.hpp"
#include "tests/support/threads.hpp"

#include <cmath>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Mean of the chords of many rays to each cell, on parts x parts places of it.
std::vector<double> cell_means(Backend& backend, const ScanCase& c, const std::vector<float>& f,
                               int parts) {
  ScanSpec fine = c.geometry->spec();
  fine.detector_columns *= parts;
  fine.detector_rows *= parts;
  fine.column_pitch_mm /= parts;
  fine.row_pitch_mm /= parts;
  fine.central_column = (fine.central_column + 0.5) * parts - 0.5;
  fine.central_row = (fine.central_row + 0.5) * parts - 0.5;
  const auto A = make_siddon(backend, share(fine), c.grid, {});
  Array y(backend, A->range_size());
  A->forward(Array::from(backend, f), y);
  const std::size_t columns = static_cast<std::size_t>(fine.detector_columns),
                    n = static_cast<std::size_t>(parts);
  std::vector<double> means(c.geometry->rays(), 0.0);
  for (std::size_t i = 0; i < y.size(); ++i)
    means[i / columns / n * (columns / n) + i % columns / n] += y.host()[i] / (parts * parts);
  return means;
}

}  // namespace

class TestDistanceDriven : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  std::vector<ScanCase> cases_ = scan_cases();

 private slots:
  void equalsTheExplicitOverlapLoop_data() { add_scan_rows(cases_); }
  void equalsTheExplicitOverlapLoop() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = make_distance_driven(backend_, c.geometry, c.grid, {});
    const std::vector<float> f = random_values(A->domain_size(), 21);
    Array y(backend_, A->range_size());
    A->forward(Array::from(backend_, f), y);
    double largest = 1e-30, worst = 0;
    std::size_t i = 0;
    for (int v = 0; v < c.geometry->views(); ++v)
      for (int row = 0; row < c.geometry->rows(); ++row)
        for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
          const double expected = ray_sum(c, f, v, column, row);
          largest = std::max(largest, expected);
          worst = std::max(worst, std::abs(y.host()[i] - expected));
        }
    QVERIFY2(worst <= 1e-5 * largest,
             qPrintable(QStringLiteral("largest error %1 of %2").arg(worst).arg(largest)));
  }

  /// Two rules for the same footprint: neither is nearer than the other to the mean of the cell's
  /// rays, and they differ from each other by less than from that.
  void magnificationAtTheVoxelLosesNothing() {
    for (const char* name : {"cone flat", "cone arc with offsets", "helical flat, downwards"}) {
      const auto found = std::ranges::find(cases_, name, &ScanCase::name);
      QVERIFY(found != cases_.end());
      const ScanCase& c = *found;
      const std::vector<float> f = random_values(c.grid.voxels(), 24);
      const std::vector<double> means = cell_means(backend_, c, f, 12);
      double at_voxel = 0, at_cell = 0, between = 0, all = 0;
      std::size_t i = 0;
      for (int v = 0; v < c.geometry->views(); ++v)
        for (int row = 0; row < c.geometry->rows(); ++row)
          for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
            const double a = ray_sum(c, f, v, column, row, Magnified::at_voxel),
                         b = ray_sum(c, f, v, column, row, Magnified::at_cell);
            at_voxel += (a - means[i]) * (a - means[i]);
            at_cell += (b - means[i]) * (b - means[i]);
            between += (a - b) * (a - b);
            all += means[i] * means[i];
          }
      const QString errors = QStringLiteral("%1: at the voxel %2, at the cell %3, between %4")
                                 .arg(name)
                                 .arg(std::sqrt(at_voxel / all))
                                 .arg(std::sqrt(at_cell / all))
                                 .arg(std::sqrt(between / all));
      qInfo("%s", qPrintable(errors));
      QVERIFY2(std::sqrt(at_voxel) <= 1.02 * std::sqrt(at_cell), qPrintable(errors));
      QVERIFY2(4 * between < at_cell, qPrintable(errors));
    }
  }

  void onesProjectToPathLengths() {
    // A cell whose rays pass two opposite faces sees n slices: n d / |cos|.
    ScanSpec spec = fan_spec(1, 3, 1);
    for (const double degrees_at : {0.0, 20.0, 41.0, 90.0, 133.0, 180.0, 300.0}) {
      spec.view_angles_rad = {radians(degrees_at)};
      const VolumeGrid grid = VolumeGrid::centered(64, 64, 1, {1, 1, 1});
      const auto geometry = share(spec);
      const auto A = make_distance_driven(backend_, geometry, grid, {});
      Array y(backend_, 3);
      A->forward(Array::filled(backend_, grid.voxels(), 1), y);
      for (int column = 0; column < 3; ++column) {
        const Vec3 d = geometry->ray(0, column, 0).direction;
        EXPECT_NEAR(y.host()[static_cast<std::size_t>(column)],
                    64 / std::max(std::abs(d.x), std::abs(d.y)), 1e-4);
      }
    }
  }

  void tooWideFanIsRefused() {
    ScanSpec spec = fan_spec(8, 100, 30);  // opens almost 80 degrees to each side
    EXPECT_THROWS(
        UsageError,
        make_distance_driven(backend_, share(spec), VolumeGrid::centered(8, 8, 1, {1, 1, 1}), {}),
        "too wide");
  }

  void resultsDoNotDependOnThreads() {
    for (const ScanCase& c : cases_)
      expect_same_products_on_any_threads(*make_distance_driven(backend_, c.geometry, c.grid, {}));
  }
};

GANTRY_TEST(TestDistanceDriven)

#include "test_distance_driven.moc"
