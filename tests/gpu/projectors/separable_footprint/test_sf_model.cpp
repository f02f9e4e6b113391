// The separable-footprint products of the CUDA backend, their arithmetic run on the host.
#include "core/projectors/separable_footprint/separable_footprint.hpp"
#include "gpu/projectors/separable_footprint/sf_tables.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/gpu/odd_sizes.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

template <bool Tall>
Products products(const ScanCase& c, const SfTables& tables, const std::vector<float>& x,
                  const std::vector<float>& y) {
  const device::SfScan& scan = tables.scan;
  const std::vector<float> columns = padded_columns(c.grid, x, device::voxel_line_padding),
                           turned = turned_image(c.grid, x);
  const auto inverse_cosine = [&](int row, int column) {
    return scan.cone ? scan.inverse_cosine[row * scan.columns + column] : 1.0F;
  };
  std::vector<float> data;
  for (int v = 0; v < scan.views; ++v)
    for (int column = 0; column < scan.columns; ++column)
      for (int row = 0; row < scan.rows; ++row)
        data.push_back(y[(v * scan.rows + row) * scan.columns + column] *
                       inverse_cosine(row, column));
  Products out;
  for (int v = 0; v < scan.views; ++v)
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column) {
        float sum[1] = {};
        if (tables.planar)
          sum[0] = device::sf_ray(scan, x.data(), turned.data(), v, column);
        else
          device::sf_rays<Tall>(scan, columns.data(), v, column, row, 1, sum);
        out.rays.push_back(sum[0] * inverse_cosine(row, column));
      }
  for (int z = 0; z < scan.nz; ++z)
    for (int iy = 0; iy < scan.ny; ++iy)
      for (int ix = 0; ix < scan.nx; ++ix) {
        float sum[1] = {};
        if (tables.planar)
          sum[0] = device::sf_pixel(scan, y.data(), ix, iy);
        else
          device::sf_voxels(scan, data.data(), ix, iy, z, 1, sum);
        out.image.push_back(sum[0]);
      }
  return out;
}

}  // namespace

class TestSfModel : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = scan_cases();
  CpuBackend backend_;

 private slots:
  void initTestCase() {
    const std::vector<ScanCase> more = odd_sizes();
    cases_.insert(cases_.end(), more.begin(), more.end());
  }
  void isThePairOfTheCpu_data() { add_scan_rows(cases_); }
  void isThePairOfTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto A = make_separable_footprint(backend_, c.geometry, c.grid, {});
    const auto x = random_values(c.grid.voxels(), 1), y = random_values(c.geometry->rays(), 2);
    const SfTables tables(*c.geometry, c.grid);
    compare(*A, products<true>(c, tables, x, y), x, y);
    if (!tables.tall) compare(*A, products<false>(c, tables, x, y), x, y);
  }
};

GANTRY_TEST(TestSfModel)
#include "test_sf_model.moc"
