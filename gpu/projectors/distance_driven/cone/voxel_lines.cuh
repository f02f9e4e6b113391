#pragma once

// Kernels that compare or exchange a volume, [z][y][x], with a copy of it as voxel lines,
// [y][x][z with padding] (`columns`, made by to_voxel_lines), and the kernel that copies rays so
// that the rows of a cell are contiguous, for dd_cone_adjoint.
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"
#include "gpu/projectors/distance_driven/cone/tuning.hpp"

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
__global__ void __launch_bounds__(dd_cone::tile_threads)
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
__global__ void __launch_bounds__(dd_cone::tile_threads)
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

/// data[(nth columns + cell) (rows + 2 padding) + padding + row] = weight(cell, row) ray, and zeros
/// in the padding. Block (32, 8), grid (tiles of 32 cells, tiles of 32 padded rows, views); a block
/// owns one tile of one view, its threads as in transpose_tile.
__global__ void rays_to_row_lines(DdConeScan scan, const float* __restrict__ rays,
                                  float* __restrict__ data) {
  const int nth = blockIdx.z, v = scan.first_view + nth * scan.view_stride;
  const DdConeView& view = scan.view[v];
  const int length = scan.rows + 2 * line_padding;
  const float* from = rays + static_cast<std::size_t>(v) * scan.rows * scan.columns;
  const auto weighted = [&](int cell, int place) {
    const int row = place - line_padding;
    if (row < 0 || row >= scan.rows) return 0.0F;
    const std::size_t at = static_cast<std::size_t>(v) * scan.columns + cell;
    const float slope = scan.rise[at] * (row + 0.5F - scan.row_origin);
    const int column = view.reversed ? scan.columns - 1 - cell : cell;
    return from[static_cast<std::size_t>(row) * scan.columns + column] * scan.cell[at] *
           sqrtf(fmaf(slope, slope, 1.0F));
  };
  transpose_tile(scan.columns, length, weighted,
                 data + static_cast<std::size_t>(nth) * scan.columns * length);
}

}  // namespace gantry::device
