// Launches of the 3D distance-driven kernels. Times and what they were chosen against:
// tests/bench/RESULTS.md.
#include "core/projectors/dd_rows.hpp"
#include "gpu/kernels/dd_cone_adjoint.cuh"
#include "gpu/kernels/dd_cone_forward.cuh"
#include "gpu/kernels/lines.cuh"
#include "gpu/projectors/dd_tables.hpp"
#include "gpu/projectors/distance_driven_3d.hpp"
#include "gpu/projectors/image_layouts.hpp"
#include "gpu/projectors/launch.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

using device::DdConeScan;

/// A launch of the forward kernel; see there for the numbers.
template <int Cells, int Rows, int Warps, int WarpColumns, bool Mirror, bool Arc, bool Tall,
          bool Ahead>
void forward(const DdConeScan& scan, const float* lines, float* rays, cudaStream_t stream) {
  const int rows = Mirror ? (scan.rows + 1) / 2 : scan.rows;
  const dim3 grid(blocks(scan.columns, WarpColumns * Cells),
                  blocks(scan.views, Warps / WarpColumns), blocks(rows, 32 * Rows));
  const std::size_t elements = static_cast<std::size_t>(scan.nx) * scan.ny *
                               static_cast<std::size_t>(scan.nz + 2 * device::line_padding);
  if (elements <= std::numeric_limits<unsigned>::max())
    device::dd_cone_forward<Cells, Rows, Warps, WarpColumns, Mirror, Arc, Tall, unsigned, Ahead>
        <<<grid, 32 * Warps, 0, stream>>>(scan, lines, rays);
  else
    device::dd_cone_forward<Cells, Rows, Warps, WarpColumns, Mirror, Arc, Tall, std::size_t, Ahead>
        <<<grid, 32 * Warps, 0, stream>>>(scan, lines, rays);
  check_launch("dd_cone_forward");
}

/// A launch of the transpose.
template <int Voxels, int Cells, int LinesX, int LinesY, bool Mirror, bool Arc, bool Tall>
void adjoint(const DdConeScan& scan, const float* data, float* volume, bool add,
             cudaStream_t stream) {
  const int voxels = Mirror ? (scan.nz + 1) / 2 : scan.nz;
  const dim3 grid(blocks(scan.nx, LinesX), blocks(scan.ny, LinesY), blocks(voxels, 32 * Voxels));
  device::dd_cone_adjoint<Voxels, Cells, LinesX, LinesY, Mirror, Arc, Tall>
      <<<grid, 32 * LinesX * LinesY, 0, stream>>>(scan, data, volume, add);
  check_launch("dd_cone_adjoint");
}

using Forward = void (*)(const DdConeScan&, const float*, float*, cudaStream_t);
using Adjoint = void (*)(const DdConeScan&, const float*, float*, bool, cudaStream_t);

// The shapes were the fastest of those tried on an H200 (tests/bench/RESULTS.md): both kernels are
// bound by instructions, and several rows or voxels of a lane share what belongs to the column.

template <bool Arc>
Forward choose_forward(const DdTables& tables, int rows) {
  if (tables.tallest_row() > 2) return forward<4, 1, 8, 2, false, Arc, true, false>;
  if (tables.mirrored() && rows > 1)
    return rows <= 128 ? forward<8, 1, 8, 1, true, Arc, false, false>
                       : forward<4, 4, 8, 2, true, Arc, false, true>;
  return rows <= 32 ? forward<8, 1, 8, 1, false, Arc, false, false>
                    : forward<8, 2, 8, 1, false, Arc, false, false>;
}

template <int Cells, bool Arc>
Adjoint choose_adjoint_voxels(const DdTables& tables, int nz) {
  if (tables.tallest_voxel() > 3) return adjoint<1, Cells, 2, 2, false, Arc, true>;
  if (tables.mirrored() && nz > 1) {
    if (nz <= 64) return adjoint<1, Cells, 2, 2, true, Arc, false>;
    return nz <= 128 ? adjoint<2, Cells, 2, 2, true, Arc, false>
                     : adjoint<4, Cells, 2, 2, true, Arc, false>;
  }
  if (nz <= 32) return adjoint<1, Cells, 2, 2, false, Arc, false>;
  return nz <= 64 ? adjoint<2, Cells, 2, 2, false, Arc, false>
                  : adjoint<4, Cells, 2, 2, false, Arc, false>;
}

template <bool Arc>
Adjoint choose_adjoint(const DdTables& tables, int nz) {
  const int cells = tables.most_cells();
  if (cells <= 4) return choose_adjoint_voxels<4, Arc>(tables, nz);
  if (cells <= 8) return choose_adjoint_voxels<8, Arc>(tables, nz);
  if (cells <= 32) return adjoint<1, 32, 2, 1, false, Arc, true>;
  throw UsageError("a voxel is wider than 30 detector cells", "grid", "use smaller voxels");
}

class CudaDistanceDriven3d final : public Projector {
 public:
  CudaDistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        tables_(cuda_, *geometry, grid),
        forward_(tables_.arc() ? choose_forward<true>(tables_, geometry->rows())
                               : choose_forward<false>(tables_, geometry->rows())),
        adjoint_(tables_.arc() ? choose_adjoint<true>(tables_, grid.nz)
                               : choose_adjoint<false>(tables_, grid.nz)) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override {
    return tables_.bytes() +
           std::max(voxel_columns_size(grid(), device::line_padding) * sizeof(float),
                    static_cast<std::size_t>(views_at_once()) * view_bytes());
  }

 private:
  std::size_t view_bytes() const {
    return sizeof(float) * static_cast<std::size_t>(geometry().columns()) *
           static_cast<std::size_t>(geometry().rows() + 2 * device::line_padding);
  }
  /// Whole rounds of 32, as many as the workspace holds.
  int views_at_once() const {
    const std::size_t most = most_view_bytes / view_bytes() / 32 * 32;
    return static_cast<int>(std::clamp<std::size_t>(most, 32, (views() + 31) / 32 * 32));
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const DeviceBuffer<float> lines = voxel_columns(cuda_, grid(), device::line_padding, x.data());
    forward_(tables_.scan(subset), lines.data(), y.data(), cuda_.stream());
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const int at_once = std::min(views_at_once(), subset.count);
    DeviceBuffer<float> data(cuda_,
                             static_cast<std::size_t>(at_once) * view_bytes() / sizeof(float),
                             "the backprojection");
    if (subset.count == 0) backend().fill(x, 0);
    bool add = false;
    for_parts(subset, at_once, [&](ViewSubset views) {
      const DdConeScan part = tables_.scan(views);
      device::rays_to_lines<<<dim3(blocks(part.columns, 32),
                                   blocks(part.rows + 2 * device::line_padding, 32),
                                   static_cast<unsigned>(part.views)),
                              dim3(32, 8), 0, cuda_.stream()>>>(part, y.data(), data.data());
      check_launch("rays_to_lines");
      adjoint_(part, data.data(), x.data(), add, cuda_.stream());
      add = true;
    });
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdTables tables_;
  Forward forward_;
  Adjoint adjoint_;
};

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_3d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  return std::make_unique<CudaDistanceDriven3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
