#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/height_interval.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/common/layouts.cuh"

#include <algorithm>

namespace gantry {

namespace {

const dim3 threads(device::transpose_side, device::transpose_rows);

}  // namespace

std::size_t voxel_lines_size(const VolumeGrid& grid, int padding) {
  return static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny) *
         static_cast<std::size_t>(grid.nz + 2 * padding);
}

DeviceBuffer<float> to_voxel_lines(const CudaBackend& cuda, const VolumeGrid& grid, int padding,
                                   const float* volume) {
  DeviceBuffer<float> columns(cuda, voxel_lines_size(grid, padding), "the forward projection");
  const dim3 tiles(blocks(grid.nx, device::transpose_side),
                   blocks(grid.nz + 2 * padding, device::transpose_side),
                   static_cast<unsigned>(std::min(grid.ny, most_along_grid)));
  device::to_columns<<<tiles, threads, 0, cuda.stream()>>>(volume, columns.data(), grid.nx, grid.ny,
                                                           grid.nz, padding);
  check_launch("to_columns");
  return columns;
}

namespace {

DeviceBuffer<float> turned_image(const CudaBackend& cuda, const VolumeGrid& grid,
                                 const float* image) {
  DeviceBuffer<float> turned(cuda,
                             static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny),
                             "the forward projection");
  device::transpose_image<<<dim3(blocks(grid.nx, device::transpose_side),
                                 blocks(grid.ny, device::transpose_side)),
                            threads, 0, cuda.stream()>>>(image, turned.data(), grid.nx, grid.ny);
  check_launch("turn_image");
  return turned;
}

}  // namespace

DeviceBuffer<float> forward_layout(const CudaBackend& cuda, const VolumeGrid& grid, bool planar,
                                   const float* volume) {
  return planar ? turned_image(cuda, grid, volume)
                : to_voxel_lines(cuda, grid, device::voxel_line_padding, volume);
}

std::size_t forward_layout_size(const VolumeGrid& grid, bool planar) {
  return planar ? grid.voxels() : voxel_lines_size(grid, device::voxel_line_padding);
}

}  // namespace gantry
