// Siddon's and Joseph's products of the CUDA backend, their arithmetic run on the host.
#include "core/projectors/siddon_joseph/joseph.hpp"
#include "core/projectors/siddon_joseph/plane_lines.hpp"
#include "core/projectors/siddon_joseph/siddon.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_tables.hpp"
#include "gpu/projectors/siddon_joseph/trace_tables.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/test_program.hpp"

using namespace gantry;
using namespace gantry::test;

namespace {

template <device::RayWeighting weights, bool Tall>
Products interval_products(const ScanCase& c, const std::vector<float>& x,
                           const std::vector<float>& y) {
  const SiddonJosephTables tables(*c.geometry, c.grid);
  const device::SiddonJosephScan scan = tables.scan;
  const std::vector<float> columns = padded_columns(c.grid, x, device::voxel_line_padding),
                           turned = turned_image(c.grid, x);
  std::vector<float> data;
  Products out;
  const auto ray = [&](int v, int row, int column) {
    return (static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column;
  };
  for (int v = 0; v < scan.views; ++v)
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column) {
        float sum[1] = {};
        if (tables.planar)
          sum[0] = device::interval_ray<weights>(scan, x.data(), turned.data(), v, column);
        else
          device::interval_rays<weights, Tall>(scan, columns.data(), v, column, row, 1, sum);
        out.rays.push_back(sum[0]);
      }
  for (int v = 0; v < scan.views; ++v)
    for (int column = 0; column < scan.columns; ++column)
      for (int row = 0; row < scan.rows; ++row)
        data.push_back(
            y[ray(v, row, column)] *
            device::path_mm(scan, scan.line[v * scan.columns + column], row - scan.central_row));
  for (int z = 0; z < scan.nz; ++z)
    for (int iy = 0; iy < scan.ny; ++iy)
      for (int ix = 0; ix < scan.nx; ++ix) {
        float sum[1] = {};
        if (tables.planar)
          sum[0] = device::interval_pixel<weights>(scan, data.data(), ix, iy);
        else
          device::interval_voxels<weights>(scan, data.data(), ix, iy, z, 1, sum);
        out.image.push_back(sum[0]);
      }
  return out;
}

template <device::RayWeighting weights>
Products traced_products(const ScanCase& c, const std::vector<float>& x,
                         const std::vector<float>& y) {
  const TraceTables tables(*c.geometry, c.grid);
  const device::TraceScan& scan = tables.scan;
  Products out;
  out.image.resize(x.size());
  for (int v = 0; v < scan.views; ++v)
    for (int row = 0; row < scan.rows; ++row)
      for (int column = 0; column < scan.columns; ++column) {
        const float value = y[out.rays.size()];
        out.rays.push_back(device::traced_sum<weights>(scan, x.data(), v, column, row));
        device::spread_ray<weights>(
            scan, value, v, column, row,
            [&](std::size_t voxel, float part) { out.image[voxel] += part; });
      }
  return out;
}

}  // namespace

class TestRayModels : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = scan_cases();
  CpuBackend backend_;

  /// Rays along grid planes may count in either neighbour.
  static bool ambiguous(const ScanCase& c) { return c.name.find("diagonals") != std::string::npos; }

 private slots:
  void initTestCase() {
    for (ScanCase& c : pose_cases()) cases_.push_back(c);
  }

  void upright_data() {
    add_scan_rows(cases_, [](const ScanCase& c) { return has_upright_detector(*c.geometry); });
  }
  void upright() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto siddon = make_siddon(backend_, c.geometry, c.grid, {}),
               joseph = make_joseph(backend_, c.geometry, c.grid, {});
    const auto x = random_values(c.grid.voxels(), 1), y = random_values(c.geometry->rays(), 2);
    const SiddonJosephTables tables(*c.geometry, c.grid);
    if (tables.climb.voxels < 1)
      compare(*siddon, interval_products<device::RayWeighting::crossing, false>(c, x, y), x, y,
              ambiguous(c));
    compare(*siddon, interval_products<device::RayWeighting::crossing, true>(c, x, y), x, y,
            ambiguous(c));
    if (tables.climb.relative < 1)
      compare(*joseph, interval_products<device::RayWeighting::interpolated, false>(c, x, y), x, y,
              ambiguous(c));
  }

  void traced_data() {
    add_scan_rows(cases_, [](const ScanCase& c) { return !is_planar(*c.geometry, c.grid); });
  }
  void traced() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    const auto siddon = make_siddon(backend_, c.geometry, c.grid, {}),
               joseph = make_joseph(backend_, c.geometry, c.grid, {});
    const auto x = random_values(c.grid.voxels(), 1), y = random_values(c.geometry->rays(), 2);
    compare(*siddon, traced_products<device::RayWeighting::crossing>(c, x, y), x, y, ambiguous(c));
    compare(*joseph, traced_products<device::RayWeighting::interpolated>(c, x, y), x, y,
            ambiguous(c));
  }
};

GANTRY_TEST(TestRayModels)
#include "test_ray_models.moc"
