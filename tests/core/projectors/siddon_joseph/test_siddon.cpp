#include "core/backend/cpu_backend.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"
#include "tests/support/test_program.hpp"

#include <cmath>
#include <numeric>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Length of a ray inside a box, by the slab method.
double chord(const Ray& ray, Vec3 low, Vec3 high) {
  double entry = -1e30, exit = 1e30;
  const double o[] = {ray.origin_mm.x, ray.origin_mm.y, ray.origin_mm.z},
               d[] = {ray.direction.x, ray.direction.y, ray.direction.z};
  const double a[] = {low.x, low.y, low.z}, b[] = {high.x, high.y, high.z};
  for (int i = 0; i < 3; ++i) {
    if (std::abs(d[i]) < 1e-14) {
      if (o[i] < a[i] || o[i] > b[i]) return 0;
      continue;
    }
    entry = std::max(entry, std::min((a[i] - o[i]) / d[i], (b[i] - o[i]) / d[i]));
    exit = std::min(exit, std::max((a[i] - o[i]) / d[i], (b[i] - o[i]) / d[i]));
  }
  return std::max(0.0, exit - entry);
}

}  // namespace

class TestSiddon : public QObject {
  Q_OBJECT

  CpuBackend backend_;
  std::vector<ScanCase> cases_ = scan_cases();

 private slots:
  void initTestCase() {
    for (const ScanCase& c : pose_cases()) cases_.push_back(c);
  }

  void rowSumsAreChords() {
    RowWeights weights;
    for (const ScanCase& c : cases_) {
      if (c.name.find("diagonals") != std::string::npos)
        continue;  // rays along grid planes: either voxel will do
      const auto A = make_siddon(backend_, c.geometry, c.grid, {});
      Array y(backend_, A->range_size());
      A->forward(Array::filled(backend_, A->domain_size(), 1), y);
      const bool flat_problem = is_planar(*c.geometry, c.grid);
      std::size_t i = 0;
      for (int v = 0; v < c.geometry->views(); ++v) {
        const auto rows = A->row_source()->view_rows(v);
        for (int row = 0; row < c.geometry->rows(); ++row)
          for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
            Ray ray = c.geometry->ray(v, column, row);
            if (flat_problem) ray.origin_mm.z = c.grid.origin_mm.z;
            const double expected = chord(ray, c.grid.lower_corner_mm(), c.grid.upper_corner_mm());
            rows->weights(column, row, weights);
            EXPECT_NEAR(std::accumulate(weights.weight.begin(), weights.weight.end(), 0.0),
                        expected, 1e-12 * 100);
            EXPECT_NEAR(y.host()[i], expected, 3e-4);  // a ray moved by a rounding of float32
          }
      }
    }
  }

  void weightsAreChordsOfTheirVoxels() {
    ScanSpec spec = fan_spec(3, 9, 4);
    spec.beam = Beam::cone;
    spec.detector_rows = 3;
    spec.central_row = 1.1;
    const auto geometry = share(spec);
    const VolumeGrid grid = VolumeGrid::centered(5, 4, 3, {5, 6, 3});
    const auto A = make_siddon(backend_, geometry, grid, {});
    RowWeights weights;
    for (int v = 0; v < geometry->views(); ++v)
      for (int row = 0; row < geometry->rows(); ++row)
        for (int column = 0; column < geometry->columns(); ++column) {
          A->row_source()->view_rows(v)->weights(column, row, weights);
          std::vector<double> found(grid.voxels());
          for (std::size_t i = 0; i < weights.size(); ++i)
            found[weights.voxel[i]] += weights.weight[i];
          for (int iz = 0; iz < grid.nz; ++iz)
            for (int iy = 0; iy < grid.ny; ++iy)
              for (int ix = 0; ix < grid.nx; ++ix)
                EXPECT_NEAR(found[grid.index(ix, iy, iz)],
                            chord(geometry->ray(v, column, row),
                                  grid.voxel_center_mm(ix - 0.5, iy - 0.5, iz - 0.5),
                                  grid.voxel_center_mm(ix + 0.5, iy + 0.5, iz + 0.5)),
                            1e-10);
        }
  }

  /// In space, where the transpose reads sums of rows or, for cones whose rows overlap in a slice,
  /// adds row by row; and where both happen in one scan.
  void transposeInSpaceIsThatOfTheWeights() {
    struct {
      int rows;
      double central_row, row_pitch_mm;
    } panels[] = {{9, 4, 8}, {40, 19.5, 2}, {40, 3.3, 2}, {160, 79.5, 0.5}};
    const VolumeGrid grid = VolumeGrid::centered(9, 8, 12, {5, 6, 4});
    for (const auto& panel : panels) {
      ScanSpec spec = fan_spec(5, 14, 6);
      spec.beam = Beam::cone;
      spec.source_to_isocenter_mm = 60;
      spec.source_to_detector_mm = 110;
      spec.detector_rows = panel.rows;
      spec.central_row = panel.central_row;
      spec.row_pitch_mm = panel.row_pitch_mm;
      const auto A = make_siddon(backend_, share(spec), grid, {});
      const std::vector<float> rays = random_values(A->range_size(), 6);
      Array x(backend_, A->domain_size());
      A->adjoint(Array::from(backend_, rays), x);
      std::vector<double> expected(A->domain_size());
      RowWeights weights;
      std::size_t ray = 0;
      for (int v = 0; v < A->views(); ++v) {
        const auto view = A->row_source()->view_rows(v);
        for (int row = 0; row < panel.rows; ++row)
          for (int column = 0; column < spec.detector_columns; ++column, ++ray) {
            view->weights(column, row, weights);
            for (std::size_t i = 0; i < weights.size(); ++i)
              expected[weights.voxel[i]] += weights.weight[i] * rays[ray];
          }
      }
      for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(x.host()[i], expected[i], 2e-5 * (1 + expected[i]));
    }
  }

  void nonzerosOfThePublishedScan() {
    // 256 x 256 pixels, 180 parallel views over half a turn, 256 cells, the field 1.59 times the
    // side: 9.447 million nonzeros were counted for the matrix that He, Zhang et al. store.
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = 256;
    spec.column_pitch_mm = 1.59;
    spec.row_pitch_mm = 1;
    spec.central_column = 127.5;
    spec.view_angles_rad = angles_from_degrees(degrees(1e-7), 1, 180);
    const auto A =
        make_siddon(backend_, share(spec), VolumeGrid::centered(256, 256, 1, {1, 1, 1}), {});
    RowWeights weights;
    std::size_t nonzeros = 0;
    for (int v = 0; v < 180; ++v) {
      const auto rows = A->row_source()->view_rows(v);
      for (int column = 0; column < 256; ++column) {
        rows->weights(column, 0, weights);
        nonzeros += weights.size();
      }
    }
    EXPECT_NEAR(static_cast<double>(nonzeros), 9.447e6, 1e-3 * 9.447e6);
  }
};

GANTRY_TEST(TestSiddon)
#include "test_siddon.moc"
