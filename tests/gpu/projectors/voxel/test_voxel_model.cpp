// The voxel-driven backprojection of the CUDA backend, its arithmetic run on the host.
#include "core/projectors/voxel/voxel_driven.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/voxel/voxel_tables.hpp"
#include "tests/gpu/host_model.hpp"
#include "tests/support/test_program.hpp"

#include <algorithm>

using namespace gantry;
using namespace gantry::test;

namespace {

/// Lines of the selected views as rows_to_voxel_lines makes them.
std::vector<float> arrange(const VoxelTables& tables, const device::VoxelScan& scan,
                           const std::vector<float>& rays) {
  std::vector<float> data;
  for (int nth = 0; nth < scan.views; ++nth)
    for (int c = -1; c <= scan.columns; ++c)
      for (int q = tables.single ? 0 : -1; q < scan.rows + (tables.single ? 0 : 1); ++q) {
        const int row = std::clamp(q, 0, scan.rows - 1),
                  v = scan.first_view + nth * scan.view_stride;
        const auto at = (static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + c;
        data.push_back(c < 0 || c >= scan.columns ? 0.0F : rays[at]);
      }
  return data;
}

/// What the kernels do, voxel by voxel.
float value_at(const VoxelTables& tables, const device::VoxelScan& scan,
               const std::vector<float>& data, int x, int y, int z) {
  float sum = 0;
  for (int nth = 0; nth < scan.views; ++nth) {
    if (tables.single) {
      sum += device::voxel_value_single(scan, data.data(), nth, x, y);
      continue;
    }
    const device::VoxelLine line = device::voxel_line(scan, nth, x, y);
    const auto height = static_cast<float>(z);
    if (line.high < line.low) continue;
    const float seen = device::voxel_value_if_seen(line, data.data(), scan.rows, height);
    const bool within = height >= line.low && height <= line.high;
    if (device::voxels_seen(line, height, height) !=
        (within ? device::VoxelsSeen::all : device::VoxelsSeen::none))
      return std::nanf("");
    if (!within) {
      if (seen != 0) return std::nanf("");
      continue;
    }
    const float place = std::fma(height, line.step, line.first);
    const float value =
        device::voxel_value(line, data.data(), device::voxel_line_length(scan), place);
    if (std::abs(value - seen) > 1e-6F * std::abs(value)) return std::nanf("");
    sum += value;
  }
  return sum;
}

}  // namespace

class TestVoxelModel : public QObject {
  Q_OBJECT

  std::vector<ScanCase> cases_ = scan_cases();

 private slots:
  void isTheBackprojectionOfTheCpu_data() { add_scan_rows(cases_); }
  void isTheBackprojectionOfTheCpu() {
    QFETCH(int, scan);
    const ScanCase& c = cases_[static_cast<std::size_t>(scan)];
    CpuBackend backend;
    const auto A = make_voxel_driven(backend, c.geometry, c.grid, {});
    const std::vector<float> rays = random_values(A->range_size(), 3);
    Array expected(backend, A->domain_size());
    A->adjoint(Array::from(backend, rays), expected);

    VoxelTables tables(*c.geometry, c.grid, c.geometry->beam() == Beam::cone ? 2 : 1);
    tables.scan.view = tables.views.data();
    const device::VoxelScan part = part_of(tables.scan, A->all());
    std::vector<float> weighted = rays;
    const std::vector<float> density = ray_density(*c.geometry, c.grid);
    for (std::size_t i = 0; i < weighted.size(); ++i) weighted[i] *= density[i % density.size()];
    const std::vector<float> data = arrange(tables, part, weighted);
    std::vector<float> found;
    for (int z = 0; z < c.grid.nz; ++z)
      for (int y = 0; y < c.grid.ny; ++y)
        for (int x = 0; x < c.grid.nx; ++x) found.push_back(value_at(tables, part, data, x, y, z));
    const double off = relative_rms(found, expected.host());
    QVERIFY2(off <= 2e-6, qPrintable(QString::number(off)));
  }
};

GANTRY_TEST(TestVoxelModel)
#include "test_voxel_model.moc"
