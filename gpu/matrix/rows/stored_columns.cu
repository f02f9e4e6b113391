#include "core/matrix/rows/view_csr.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/access/cuda_columns.cuh"
#include "gpu/access/ray_cell.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/stored_columns.hpp"

#include <utility>

namespace gantry {

namespace device {

namespace {

/// A stored transpose as a model of columns (gpu/access/columns.cuh). What that calls views are the
/// parts into which the lanes of a warp divide the entries of a voxel.
struct StoredColumnWeights {
  static constexpr int deep = 1, parts = 32;
  SparseRows column;  ///< of each voxel, or of each pixel of a stack's slice
  int nx, ny;
  int is_stack;
  int rows, columns;  ///< of the detector

  GANTRY_HD int views() const { return parts; }

  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int part,
                               const Use& use) const {
#pragma unroll
    for (int k = 0; k < Most; ++k) {
      if (k >= count) continue;
      const int z = iz + k * step;
      const std::int64_t voxel = (static_cast<std::int64_t>(is_stack ? 0 : z) * ny + iy) * nx + ix;
      for (std::int64_t n = column.start[voxel] + part; n < column.start[voxel + 1]; n += parts) {
        const auto ray = static_cast<std::uint32_t>(column.index[n]),
                   line = ray / static_cast<std::uint32_t>(columns);
        const auto cell = static_cast<int>(ray - line * static_cast<std::uint32_t>(columns));
        const int view = is_stack ? static_cast<int>(line) : static_cast<int>(line / rows),
                  row = is_stack ? z : static_cast<int>(line % rows);
        use(k, ray_cell(view, row, cell, rows, columns), column.weight[n]);
      }
    }
  }
};

}  // namespace

}  // namespace device

namespace {

/// Owns the transpose that CudaColumns reads.
class CudaStoredColumns final : public CudaColumns<device::StoredColumnWeights> {
 public:
  CudaStoredColumns(const CudaBackend& cuda, const Projector& projector, bool stack,
                    DeviceCsr transpose, ColumnWorker worker)
      : CudaColumns(cuda, projector,
                    {transpose.view(), projector.grid().nx, projector.grid().ny, stack ? 1 : 0,
                     projector.geometry().rows(), projector.geometry().columns()},
                    worker),
        transpose_(std::move(transpose)) {}

 private:
  DeviceCsr transpose_;
};

DeviceCsr transpose_of(const CudaBackend& cuda, const Projector& projector) {
  return DeviceRows(cuda, projector, every_view(projector)).columns();
}

}  // namespace

std::unique_ptr<ColumnAccess> cuda_stored_columns(const CudaBackend& cuda,
                                                  const Projector& projector, ColumnWorker worker) {
  const bool stack = is_stack(projector.geometry(), projector.grid());
  DeviceCsr transpose =
      stack ? transpose_of(cuda, *slice_of_stack(projector)) : transpose_of(cuda, projector);
  projector.check_interrupt();
  return std::make_unique<CudaStoredColumns>(cuda, projector, stack, std::move(transpose), worker);
}

}  // namespace gantry
