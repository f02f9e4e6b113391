// Kernels that transpose images in tiles of 32 x 32 through shared memory (see transpose_tile.cuh).
// Block (32, 8).
//
//                      block (bx, by, bz) owns
//   to_voxel_lines     x = 32 bx .. + 31, index in the padded line = 32 by .. + 31,
//                      y = bz, + gridDim.z, ...
//   transpose_image    x = 32 bx .. + 31, y = 32 by .. + 31
#include "gpu/base/launch.hpp"
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/common/height_interval.hpp"
#include "gpu/projectors/common/image_layouts.hpp"

#include <algorithm>

namespace gantry::device {

/// Computes lines[(iy nx + ix)(nz + 2 padding) + padding + iz] = volume[(iz ny + iy) nx + ix],
/// with zeros before and after each line. Grid (tiles along x, tiles along the padded z, y).
__global__ void to_voxel_lines(const float* __restrict__ volume, float* __restrict__ lines, int nx,
                               int ny, int nz, int padding) {
  const int length = nz + 2 * padding;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    const auto voxel = [&](int x, int place) {
      const int z = place - padding;
      return z >= 0 && z < nz ? volume[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
    };
    transpose_tile(nx, length, voxel, lines + static_cast<std::size_t>(y) * nx * length);
    __syncthreads();
  }
}

/// Computes transposed[ix][iy] = image[iy][ix]. Grid (tiles along x, tiles along y).
__global__ void transpose_image(const float* __restrict__ image, float* __restrict__ transposed,
                                int nx, int ny) {
  transpose_tile(
      nx, ny, [&](int x, int y) { return image[static_cast<std::size_t>(y) * nx + x]; },
      transposed);
}

}  // namespace gantry::device

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
  device::to_voxel_lines<<<tiles, threads, 0, cuda.stream()>>>(volume, columns.data(), grid.nx,
                                                               grid.ny, grid.nz, padding);
  check_launch("to_voxel_lines");
  return columns;
}

namespace {

DeviceBuffer<float> transposed_image(const CudaBackend& cuda, const VolumeGrid& grid,
                                     const float* image) {
  DeviceBuffer<float> transposed(
      cuda, static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny),
      "the forward projection");
  device::transpose_image<<<dim3(blocks(grid.nx, device::transpose_side),
                                 blocks(grid.ny, device::transpose_side)),
                            threads, 0, cuda.stream()>>>(image, transposed.data(), grid.nx,
                                                         grid.ny);
  check_launch("transpose_image");
  return transposed;
}

}  // namespace

DeviceBuffer<float> forward_layout(const CudaBackend& cuda, const VolumeGrid& grid, bool planar,
                                   const float* volume) {
  return planar ? transposed_image(cuda, grid, volume)
                : to_voxel_lines(cuda, grid, device::voxel_line_padding, volume);
}

std::size_t forward_layout_size(const VolumeGrid& grid, bool planar) {
  return planar ? grid.voxels() : voxel_lines_size(grid, device::voxel_line_padding);
}

}  // namespace gantry
