// Launches of voxel-driven backprojection.
#include "gpu/base/launch.hpp"
#include "gpu/projectors/voxel/voxel_backprojection.cuh"
#include "gpu/projectors/voxel/voxel_backprojection.hpp"

#include <algorithm>

namespace gantry {

namespace {

using device::VoxelScan;

// Data of one launch, bytes. Blocks go through the views at about the same time and find the data
// in the L2 cache, which limits the size; with less data per launch the volume would be read and
// written too often.
constexpr std::size_t most_bytes = std::size_t{64} << 20U;

template <int Lanes, int Voxels, int LinesX, int LinesY>
void spread_lines(const VoxelScan& scan, const float* data, float* volume, bool add,
                  cudaStream_t stream) {
  const dim3 grid(blocks(scan.nx, LinesX), blocks(scan.ny, LinesY),
                  blocks(scan.nz, Lanes * Voxels));
  device::voxel_spread<Lanes, Voxels, LinesX, LinesY>
      <<<grid, Lanes * LinesX * LinesY, 0, stream>>>(scan, data, volume, add);
  check_launch("voxel_spread");
}

}  // namespace

CudaVoxelBackprojection::CudaVoxelBackprojection(const CudaBackend& backend,
                                                 const ScanGeometry& geometry,
                                                 const VolumeGrid& grid, int power)
    : cuda_(backend), tables_(geometry, grid, power), views_(backend, tables_.views) {
  tables_.scan.view = views_.data();
}

int CudaVoxelBackprojection::views_at_once() const {
  return gantry::views_at_once(tables_.scan.views, tables_.view_values() * sizeof(float),
                               most_views_of_launch, most_bytes);
}

std::size_t CudaVoxelBackprojection::workspace_bytes() const {
  return views_.size() * sizeof(device::VoxelView) +
         static_cast<std::size_t>(views_at_once()) * tables_.view_values() * sizeof(float);
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
    device::
        row_to_voxel_values<<<dim3(blocks(scan.columns + 2, 256), views), 256, 0, cuda_.stream()>>>(
            scan, rows, data);
  } else {
    device::
        rows_to_voxel_lines<<<dim3(blocks(scan.columns + 2, 32), blocks(scan.rows + 2, 32), views),
                              dim3(32, 8), 0, cuda_.stream()>>>(scan, rows, data);
  }
  check_launch("arrange views");
}

/// Chooses a tile about as high as the volume, so that all lanes are busy.
void CudaVoxelBackprojection::spread(const VoxelScan& scan, const float* data, float* volume,
                                     bool add) const {
  const cudaStream_t stream = cuda_.stream();
  if (tables_.single) {
    device::voxel_spread_single<<<dim3(blocks(scan.nx, 32), blocks(scan.ny, 8)), dim3(32, 8), 0,
                                  stream>>>(scan, data, volume, add);
    check_launch("voxel_spread_single");
  } else if (scan.nz > 128) {
    spread_lines<32, 8, 8, 1>(scan, data, volume, add, stream);
  } else if (scan.nz > 64) {
    spread_lines<32, 4, 8, 1>(scan, data, volume, add, stream);
  } else if (scan.nz > 32) {
    spread_lines<32, 2, 8, 1>(scan, data, volume, add, stream);
  } else if (scan.nz > 8) {
    spread_lines<8, 4, 8, 4>(scan, data, volume, add, stream);
  } else {
    spread_lines<1, 8, 32, 8>(scan, data, volume, add, stream);
  }
}

}  // namespace gantry
