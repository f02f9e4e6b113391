#pragma once

// Images with another axis along memory.
#include <cstddef>

namespace gantry::device {

/// columns[(iy nx + ix)(nz + 2 padding) + padding + iz] = volume[(iz ny + iy) nx + ix], zeros
/// around. Block (32, 8), grid (tiles along x, tiles along the padded z, y).
__global__ void to_columns(const float* __restrict__ volume, float* __restrict__ columns, int nx,
                           int ny, int nz, int padding) {
  __shared__ float tile[32][33];
  const int length = nz + 2 * padding;
  const int x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    for (int j = threadIdx.y; j < 32; j += 8) {
      const int z = first + j - padding;
      const bool inside = x < nx && z >= 0 && z < nz;
      tile[j][threadIdx.x] =
          inside ? volume[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
    }
    __syncthreads();
    const int place = first + threadIdx.x;
    for (int j = threadIdx.y; j < 32 && place < length; j += 8) {
      const int column = blockIdx.x * 32 + j;
      if (column < nx)
        columns[(static_cast<std::size_t>(y) * nx + column) * length + place] =
            tile[threadIdx.x][j];
    }
    __syncthreads();
  }
}

/// turned[ix][iy] = image[iy][ix]. Block (32, 8), grid (tiles along x, tiles along y).
__global__ void turn_image(const float* __restrict__ image, float* __restrict__ turned, int nx,
                           int ny) {
  __shared__ float tile[32][33];
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + j;
    if (x < nx && y < ny) tile[j][threadIdx.x] = image[static_cast<std::size_t>(y) * nx + x];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int x = blockIdx.x * 32 + j, y = blockIdx.y * 32 + threadIdx.x;
    if (x < nx && y < ny) turned[static_cast<std::size_t>(x) * ny + y] = tile[threadIdx.x][j];
  }
}

}  // namespace gantry::device
