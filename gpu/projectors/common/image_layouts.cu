#include "gpu/base/launch.hpp"
#include "gpu/projectors/common/height_interval.hpp"
#include "gpu/projectors/common/image_layouts.hpp"
#include "gpu/projectors/common/layouts.cuh"

#include <algorithm>

namespace gantry {

std::size_t voxel_columns_size(const VolumeGrid& grid, int padding) {
  return static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny) *
         static_cast<std::size_t>(grid.nz + 2 * padding);
}

DeviceBuffer<float> voxel_columns(const CudaBackend& cuda, const VolumeGrid& grid, int padding,
                                  const float* volume) {
  DeviceBuffer<float> columns(cuda, voxel_columns_size(grid, padding), "the forward projection");
  const dim3 tiles(blocks(grid.nx, 32), blocks(grid.nz + 2 * padding, 32),
                   static_cast<unsigned>(std::min(grid.ny, most_along_grid)));
  device::to_columns<<<tiles, dim3(32, 8), 0, cuda.stream()>>>(volume, columns.data(), grid.nx,
                                                               grid.ny, grid.nz, padding);
  check_launch("to_columns");
  return columns;
}

namespace {

DeviceBuffer<float> turned_image(const CudaBackend& cuda, const VolumeGrid& grid,
                                 const float* image) {
  DeviceBuffer<float> turned(cuda,
                             static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny),
                             "the forward projection");
  device::
      turn_image<<<dim3(blocks(grid.nx, 32), blocks(grid.ny, 32)), dim3(32, 8), 0, cuda.stream()>>>(
          image, turned.data(), grid.nx, grid.ny);
  check_launch("turn_image");
  return turned;
}

}  // namespace

DeviceBuffer<float> forward_layout(const CudaBackend& cuda, const VolumeGrid& grid, bool planar,
                                   const float* volume) {
  return planar ? turned_image(cuda, grid, volume)
                : voxel_columns(cuda, grid, device::column_padding, volume);
}

std::size_t forward_layout_size(const VolumeGrid& grid, bool planar) {
  return planar ? grid.voxels() : voxel_columns_size(grid, device::column_padding);
}

}  // namespace gantry
