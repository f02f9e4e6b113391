#include "core/backend/cpu_backend.hpp"
#include "core/projectors/siddon.hpp"
#include "tests/support/expect.hpp"
#include "tests/support/scans.hpp"

#include <cmath>

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
  void rowSumsAreChords() {
    for (const ScanCase& c : cases_) {
      if (c.name.find("diagonals") != std::string::npos)
        continue;  // rays along grid planes: either voxel will do
      const auto A = make_siddon(backend_, c.geometry, c.grid, {});
      Array y(backend_, A->range_size());
      A->forward(Array::filled(backend_, A->domain_size(), 1), y);
      const bool flat_problem =
          c.grid.nz == 1 && c.geometry->rows() == 1 && c.geometry->beam() != Beam::cone;
      std::size_t i = 0;
      for (int v = 0; v < c.geometry->views(); ++v)
        for (int row = 0; row < c.geometry->rows(); ++row)
          for (int column = 0; column < c.geometry->columns(); ++column, ++i) {
            Ray ray = c.geometry->ray(v, column, row);
            if (flat_problem) ray.origin_mm.z = c.grid.origin_mm.z;
            EXPECT_NEAR(y.host()[i], chord(ray, c.grid.lower_corner_mm(), c.grid.upper_corner_mm()),
                        1e-5);
          }
    }
  }

  void singleVoxelsGetTheirOwnChord() {
    // Every voxel in turn: its weight is the chord through that voxel's box.
    ScanSpec spec = fan_spec(3, 9, 4);
    spec.beam = Beam::cone;
    spec.detector_rows = 3;
    spec.central_row = 1.1;
    const auto geometry = share(spec);
    const VolumeGrid grid = VolumeGrid::centered(5, 4, 3, {5, 6, 3});
    const auto A = make_siddon(backend_, geometry, grid, {});
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int iy = 0; iy < grid.ny; ++iy)
        for (int ix = 0; ix < grid.nx; ++ix) {
          Array x = Array::filled(backend_, grid.voxels(), 0), y(backend_, A->range_size());
          x.host()[grid.index(ix, iy, iz)] = 1;
          A->forward(x, y);
          std::size_t i = 0;
          for (int v = 0; v < geometry->views(); ++v)
            for (int row = 0; row < geometry->rows(); ++row)
              for (int column = 0; column < geometry->columns(); ++column, ++i)
                EXPECT_NEAR(y.host()[i],
                            chord(geometry->ray(v, column, row),
                                  grid.voxel_center_mm(ix - 0.5, iy - 0.5, iz - 0.5),
                                  grid.voxel_center_mm(ix + 0.5, iy + 0.5, iz + 0.5)),
                            1e-5);
        }
  }
};

QTEST_APPLESS_MAIN(TestSiddon)
#include "test_siddon.moc"
