#pragma once

// Images with another axis along memory.
#include "gpu/device/turn_tile.cuh"

namespace gantry::device {

/// columns[(iy nx + ix)(nz + 2 padding) + padding + iz] = volume[(iz ny + iy) nx + ix], zeros
/// around. Block (32, 8), grid (tiles along x, tiles along the padded z, y).
__global__ void to_columns(const float* __restrict__ volume, float* __restrict__ columns, int nx,
                           int ny, int nz, int padding) {
  const int length = nz + 2 * padding;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    const auto voxel = [&](int x, int place) {
      const int z = place - padding;
      return z >= 0 && z < nz ? volume[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
    };
    turn_tile(nx, length, voxel, columns + static_cast<std::size_t>(y) * nx * length);
    __syncthreads();
  }
}

/// turned[ix][iy] = image[iy][ix]. Block (32, 8), grid (tiles along x, tiles along y).
__global__ void turn_image(const float* __restrict__ image, float* __restrict__ turned, int nx,
                           int ny) {
  turn_tile(
      nx, ny, [&](int x, int y) { return image[static_cast<std::size_t>(y) * nx + x]; }, turned);
}

}  // namespace gantry::device
