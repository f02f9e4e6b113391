#pragma once

// Kernels of voxel-driven backprojection (arithmetic in voxel_model.hpp). First the detector rows
// of a group of views are rearranged so that a detector column is contiguous; then every voxel sums
// up the interpolated values of all views of the group.
//
//   kernel                block      a thread or block owns
//   rows_to_voxel_lines   (32, 8)    block (bx, by, bz): lines 32 bx .. + 31, indices 32 by .. + 31
//                                    of view bz; transposed through shared memory
//                                    (transpose_tile.cuh)
//   row_to_voxel_values   256        thread: value 256 bx + tx of view by
//   voxel_spread          1D         thread (line, lane): voxels z = first_z + lane + Lanes j of a
//                                    voxel line (line_tile.cuh)
//   voxel_spread_single   (32, 8)    thread: pixel (32 bx + tx, 8 by + ty)
//
// voxel_spread, for each group of Lanes views:
//
//   lane:              0        1        2      ...  Lanes - 1
//   1. computes        view 0   view 1   view 2      view Lanes - 1   of its line -> found[line][n]
//   2. for n = 0 .. Lanes - 1: every lane adds view n (found[line][n]) to its Voxels voxels
//
// Shared memory: found[lines][Lanes] (VoxelLine), and the tile that LineTile transposes at the end.
#include "gpu/device/line_tile.cuh"
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/voxel/tuning.hpp"
#include "gpu/projectors/voxel/voxel_model.hpp"

namespace gantry::device {

/// Backprojects the views of the scan. `Lanes` threads work on a voxel line along z; each has
/// `Voxels` voxels, Lanes apart. Grid: (x, y, z) in tiles (LineTile). With `add` the result is
/// added to the volume; otherwise the volume is overwritten.
template <int Lanes, int Voxels, int LinesX, int LinesY>
__global__ void __launch_bounds__(Lanes* LinesX* LinesY)
    voxel_spread(VoxelScan scan, const float* __restrict__ data, float* __restrict__ volume,
                 bool add) {
  using Tile = LineTile<Lanes, Voxels, LinesX, LinesY>;
  __shared__ typename Tile::Storage storage;
  __shared__ VoxelLine found[Tile::lines * Lanes];
  const Tile tile;
  const int lane = tile.lane(), first_z = tile.first_z();
  const float bottom = static_cast<float>(first_z), top = bottom + (Lanes * Voxels - 1);
  const int length = voxel_line_length(scan);
  float sum[Voxels], z[Voxels];
#pragma unroll
  for (int j = 0; j < Voxels; ++j) {
    z[j] = static_cast<float>(first_z + lane + Lanes * j);
    sum[j] = 0;
  }
  for (int first = 0; first < scan.views; first += Lanes) {
    if (Lanes > 1) __syncwarp();
    VoxelLine mine = voxel_line(scan, first + lane, tile.x(), tile.y());
    mine.seen = voxels_seen(mine, bottom, top);
    found[threadIdx.x] = mine;
    if (Lanes > 1) __syncwarp();
#pragma unroll 1
    for (int n = 0; n < Lanes; ++n) {
      const VoxelLine line = found[tile.line() * Lanes + n];
      if (line.seen == VoxelsSeen::none) continue;
      if (line.seen == VoxelsSeen::all) {
#pragma unroll
        for (int j = 0; j < Voxels; ++j)
          sum[j] += voxel_value(line, data, length, fmaf(z[j], line.step, line.first));
      } else {
#pragma unroll
        for (int j = 0; j < Voxels; ++j) sum[j] += voxel_value_if_seen(line, data, scan.rows, z[j]);
      }
    }
  }
  tile.store(storage, sum, scan.nx, scan.ny, scan.nz, volume, add);
}

/// Backprojects a single slice seen by one detector row. Block (32, 8), grid (x, y).
__global__ void __launch_bounds__(shapes::pixel_threads)
    voxel_spread_single(VoxelScan scan, const float* __restrict__ data, float* __restrict__ image,
                        bool add) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  if (x >= scan.nx || y >= scan.ny) return;
  float sum = 0;
#pragma unroll 4
  for (int nth = 0; nth < scan.views; ++nth) sum += voxel_value_single(scan, data, nth, x, y);
  float& pixel = image[static_cast<std::size_t>(y) * scan.nx + x];
  pixel = add ? pixel + sum : sum;
}

/// Rearranges the views to lines of rows, see voxel_line_length. Block (32, 8), grid (tiles of
/// lines, tiles of indices along the lines, views).
__global__ void rows_to_voxel_lines(VoxelScan scan, VoxelRows given, float* __restrict__ data) {
  const int lines = voxel_lines(scan), length = voxel_line_length(scan);
  const float* from = given.rows + blockIdx.z * given.view_step;
  const auto value = [&](int line, int place) {
    const int column = line - 1, row = least(most(place - 1, 0), scan.rows - 1);
    if (column < 0 || column >= scan.columns) return 0.0F;
    const float ray = from[row * given.row_step + column];
    return given.factor == nullptr
               ? ray
               : ray * given.factor[static_cast<std::size_t>(row) * scan.columns + column];
  };
  transpose_tile(lines, length, value,
                 data + static_cast<std::size_t>(blockIdx.z) * lines * length);
}

/// Rearranges the views for a single slice seen by one row. Grid (blocks of lines, views).
__global__ void row_to_voxel_values(VoxelScan scan, VoxelRows given, float* __restrict__ data) {
  const int lines = voxel_lines(scan);
  const int line = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), column = line - 1;
  if (line >= lines) return;
  float value = 0;
  if (column >= 0 && column < scan.columns) {
    value = given.rows[blockIdx.y * given.view_step + column];
    if (given.factor != nullptr) value *= given.factor[column];
  }
  data[static_cast<std::size_t>(blockIdx.y) * lines + line] = value;
}

}  // namespace gantry::device
