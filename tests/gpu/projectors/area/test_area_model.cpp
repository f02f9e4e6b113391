// The area-integral products of the CUDA backend, their arithmetic run on the host.
#include "core/projectors/area/area_integral.hpp"
#include "gpu/projectors/area/area_tables.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

Products products(const device::AreaScan& scan, const std::vector<float>& x,
                  const std::vector<float>& y) {
  Products out;
  for (int v = 0; v < scan.views; ++v)
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column)
        out.rays.push_back(device::area_ray(scan, x.data(), v, column, row));
  for (int z = 0; z < scan.nz; ++z)
    for (int iy = 0; iy < scan.ny; ++iy)
      for (int ix = 0; ix < scan.nx; ++ix)
        out.image.push_back(device::area_voxel(scan, y.data(), ix, iy, z));
  return out;
}

}  // namespace

class TestAreaModel : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = scan_cases();
  CpuBackend backend_;

 private slots:
  void isThePairOfTheCpu_data() {
    add_scan_rows(cases_, [](const ScanCase& c) { return c.geometry->beam() != Beam::cone; });
  }
  void isThePairOfTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    for (const bool area : {false, true}) {
      Params params;
      params.set("normalisation", std::string(area ? "area" : "length"));
      const auto A = make_area_integral(backend_, c.geometry, c.grid, params);
      const auto x = random_values(c.grid.voxels(), 1), y = random_values(c.geometry->rays(), 2);
      const AreaTables tables(*c.geometry, c.grid, area ? AreaWeights::area : AreaWeights::length);
      compare(*A, products(tables.scan, x, y), x, y);
    }
  }
};

GANTRY_TEST(TestAreaModel)
#include "test_area_model.moc"
