#pragma once

// Kernels that compare or exchange a volume, [z][y][x], with a copy of it as voxel lines,
// [y][x][z with padding] (`columns`, made by to_voxel_lines).
#include <cstddef>
#include <cub/block/block_reduce.cuh>

namespace gantry::device {

/// Ends a step: x = max(x, low), and sums the squared difference to x before the step.
struct ClampAndMeasure {
  float low;
  __device__ void operator()(double& square, float& x, float before) const {
    x = x < low ? low : x;
    const double change = static_cast<double>(x) - before;
    square += change * change;
  }
};

/// Restores x as it was before the step.
struct RestoreImage {
  __device__ void operator()(double&, float& x, float before) const { x = before; }
};

/// Exchanges the values of `volume` and `columns`. Block (32, 8), grid (tiles along x, tiles along
/// z, y).
///
///   A block owns the tile of 32 x by 32 z of y = blockIdx.z, blockIdx.z + gridDim.z, ...
///   Thread (t, r), for j = r, r + 8, r + 16, r + 24:
///     of the voxel lines: x = first_x + j, z = first_z + t     (contiguous along z)
///     of the volume:      x = first_x + t, z = first_z + j     (contiguous along x)
__global__ void __launch_bounds__(256)
    swap_voxel_lines(float* __restrict__ columns, float* __restrict__ volume, int nx, int ny,
                     int nz, int padding) {
  __shared__ float of_columns[32][33], of_volume[32][33];
  const int first_x = blockIdx.x * 32, first_z = blockIdx.y * 32;
  const int x = first_x + threadIdx.x, z = first_z + threadIdx.x;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    const auto column = [&](int j) {
      return columns + (static_cast<std::size_t>(y) * nx + first_x + j) * (nz + 2 * padding) +
             padding + z;
    };
    const auto voxel = [&](int j) {
      return volume + (static_cast<std::size_t>(first_z + j) * ny + y) * nx + x;
    };
    for (int j = threadIdx.y; j < 32; j += 8) {
      if (first_x + j < nx && z < nz) of_columns[j][threadIdx.x] = *column(j);
      if (x < nx && first_z + j < nz) of_volume[j][threadIdx.x] = *voxel(j);
    }
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8) {
      if (first_x + j < nx && z < nz) *column(j) = of_volume[threadIdx.x][j];
      if (x < nx && first_z + j < nz) *voxel(j) = of_columns[threadIdx.x][j];
    }
    __syncthreads();
  }
}

/// Calls op(sum, voxel of `volume`, the same voxel of `columns`) for all voxels; the sum of each
/// block goes to partial[blockIdx.z][blockIdx.y][blockIdx.x]. Block, grid and owners: as
/// swap_voxel_lines; op is called by the owner of the voxel in the volume.
template <class Op>
__global__ void __launch_bounds__(256)
    visit_columns(const float* __restrict__ columns, float* __restrict__ volume, int nx, int ny,
                  int nz, int padding, Op op, double* __restrict__ partial) {
  using Reduce = cub::BlockReduce<double, 32, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float tile[32][33];
  const int first_x = blockIdx.x * 32, first_z = blockIdx.y * 32;
  const int x = first_x + threadIdx.x, read_z = first_z + threadIdx.x;
  double sum = 0;
  for (unsigned y = blockIdx.z; y < static_cast<unsigned>(ny); y += gridDim.z) {
    for (int j = threadIdx.y; j < 32; j += 8)
      if (first_x + j < nx && read_z < nz)
        tile[j][threadIdx.x] =
            columns[(static_cast<std::size_t>(y) * nx + first_x + j) * (nz + 2 * padding) +
                    padding + read_z];
    __syncthreads();
    for (int j = threadIdx.y; j < 32; j += 8)
      if (x < nx && first_z + j < nz)
        op(sum, volume[(static_cast<std::size_t>(first_z + j) * ny + y) * nx + x],
           tile[threadIdx.x][j]);
    __syncthreads();
  }
  const double total = Reduce(storage).Sum(sum);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    partial[(static_cast<std::size_t>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
            blockIdx.x] = total;
}

}  // namespace gantry::device
