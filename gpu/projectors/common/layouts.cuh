#pragma once

// Kernels that transpose images in tiles of 32 x 32 through shared memory (see transpose_tile.cuh).
// Block (32, 8).
//
//                 block (bx, by, bz) owns
//   to_columns    x = 32 bx .. + 31, index in the padded line = 32 by .. + 31,
//                 y = bz, + gridDim.z, ...
//   transpose_image    x = 32 bx .. + 31, y = 32 by .. + 31
#include "gpu/device/transpose_tile.cuh"

namespace gantry::device {

/// Computes columns[(iy nx + ix)(nz + 2 padding) + padding + iz] = volume[(iz ny + iy) nx + ix],
/// with zeros before and after each line. Grid (tiles along x, tiles along the padded z, y).
__global__ void to_columns(const float* __restrict__ volume, float* __restrict__ columns, int nx,
                           int ny, int nz, int padding) {
  const int length = nz + 2 * padding;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    const auto voxel = [&](int x, int place) {
      const int z = place - padding;
      return z >= 0 && z < nz ? volume[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
    };
    transpose_tile(nx, length, voxel, columns + static_cast<std::size_t>(y) * nx * length);
    __syncthreads();
  }
}

/// Computes turned[ix][iy] = image[iy][ix]. Grid (tiles along x, tiles along y).
__global__ void transpose_image(const float* __restrict__ image, float* __restrict__ turned, int nx,
                                int ny) {
  transpose_tile(
      nx, ny, [&](int x, int y) { return image[static_cast<std::size_t>(y) * nx + x]; }, turned);
}

}  // namespace gantry::device
