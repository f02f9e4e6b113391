// Launches of voxel-driven backprojection.
#include "gpu/base/launch.hpp"
#include "gpu/projectors/voxel/tuning.hpp"
#include "gpu/projectors/voxel/voxel_backprojection.cuh"
#include "gpu/projectors/voxel/voxel_backprojection.hpp"

#include <algorithm>

namespace gantry {

namespace {

using device::VoxelScan;

template <voxel::SpreadShape shape>
void spread_lines(const VoxelScan& scan, const float* data, float* volume, bool add,
                  cudaStream_t stream) {
  constexpr voxel::LineShape s = shape.tile;
  const dim3 grid(blocks(scan.nx, s.lines_x), blocks(scan.ny, s.lines_y),
                  blocks(scan.nz, s.lanes * s.voxels));
  device::voxel_spread<s.lanes, s.voxels, s.lines_x, s.lines_y>
      <<<grid, s.threads(), 0, stream>>>(scan, data, volume, add);
  check_launch("voxel_spread");
}

/// Returns how many of a scan's views, of so many values each, are backprojected at a time.
int views_of_part(int views, std::size_t values) {
  return gantry::views_at_once(views, values * sizeof(float), most_views_of_launch,
                               voxel::most_bytes);
}

}  // namespace

CudaVoxelBackprojection::CudaVoxelBackprojection(const CudaBackend& backend,
                                                 const ScanGeometry& geometry,
                                                 const VolumeGrid& grid, int power)
    : cuda_(backend),
      tables_(geometry, grid, power),
      views_(backend, tables_.views),
      bytes_(bytes(geometry, grid)) {
  tables_.scan.view = views_.data();
}

int CudaVoxelBackprojection::views_at_once() const {
  return views_of_part(tables_.scan.views, tables_.view_values());
}

std::size_t CudaVoxelBackprojection::bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t values = VoxelTables::values_of_view(geometry, grid);
  return static_cast<std::size_t>(geometry.views()) * sizeof(device::VoxelView) +
         static_cast<std::size_t>(views_of_part(geometry.views(), values)) * values * sizeof(float);
}

void CudaVoxelBackprojection::apply(ViewSubset subset, const LoadViews& load,
                                    const std::function<void()>& between, float* volume) const {
  const DeviceScope scope(cuda_.device());
  const int at_once = std::min(views_at_once(), subset.count);
  DeviceBuffer<float> data(cuda_, static_cast<std::size_t>(at_once) * tables_.view_values(),
                           "the backprojection");
  for (int first = 0; first < subset.count; first += at_once) {
    const int count = std::min(at_once, subset.count - first);
    const VoxelScan scan = part_of(tables_.scan, {subset.view(first), subset.stride, count});
    arrange(scan, load(first, count), data.data());
    spread(scan, data.data(), volume, first > 0);
    between();
  }
}

void CudaVoxelBackprojection::arrange(const VoxelScan& scan, const device::VoxelRows& rows,
                                      float* data) const {
  const auto views = static_cast<unsigned>(scan.views);
  if (tables_.single) {
    const dim3 grid(blocks(scan.columns + 2, voxel::value_threads), views);
    device::row_to_voxel_values<<<grid, voxel::value_threads, 0, cuda_.stream()>>>(scan, rows,
                                                                                   data);
  } else {
    using device::transpose_side;
    const dim3 grid(blocks(scan.columns + 2, transpose_side), blocks(scan.rows + 2, transpose_side),
                    views);
    device::rows_to_voxel_lines<<<grid, dim3(transpose_side, device::transpose_rows), 0,
                                  cuda_.stream()>>>(scan, rows, data);
  }
  check_launch("arrange views");
}

/// Chooses a tile about as high as the volume, but none that has too many blocks along y.
void CudaVoxelBackprojection::spread(const VoxelScan& scan, const float* data, float* volume,
                                     bool add) const {
  const cudaStream_t stream = cuda_.stream();
  if (tables_.single) {
    const dim3 grid(blocks(scan.nx, shapes::pixel_columns), blocks(scan.ny, shapes::pixel_lines));
    device::
        voxel_spread_single<<<grid, dim3(shapes::pixel_columns, shapes::pixel_lines), 0, stream>>>(
            scan, data, volume, add);
    check_launch("voxel_spread_single");
  } else if (scan.nz <= voxel::spread_8.most_slices) {
    spread_lines<voxel::spread_8>(scan, data, volume, add, stream);
  } else if (scan.nz <= voxel::spread_32.most_slices || scan.ny > most_along_grid) {
    spread_lines<voxel::spread_32>(scan, data, volume, add, stream);
  } else if (scan.nz <= voxel::spread_64.most_slices) {
    spread_lines<voxel::spread_64>(scan, data, volume, add, stream);
  } else if (scan.nz <= voxel::spread_128.most_slices) {
    spread_lines<voxel::spread_128>(scan, data, volume, add, stream);
  } else {
    spread_lines<voxel::spread_any>(scan, data, volume, add, stream);
  }
}

}  // namespace gantry
