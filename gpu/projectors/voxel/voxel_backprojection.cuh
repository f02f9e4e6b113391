#pragma once

// Kernels of voxel_model.hpp.
#include "gpu/device/line_tile.cuh"
#include "gpu/device/turn_tile.cuh"
#include "gpu/projectors/voxel/voxel_model.hpp"

namespace gantry::device {

/// Lanes: threads that share a line of voxels along z, each with Voxels of them, Lanes apart. For
/// Lanes views at a time each finds where one view lands on the line; then all go through these
/// views together. Grid: (x, y, z) in tiles of lines. With `add`, volume += , else =.
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

/// The same for a single slice seen by one row. Block (32, 8), grid (x, y).
__global__ void __launch_bounds__(256)
    voxel_spread_single(VoxelScan scan, const float* __restrict__ data, float* __restrict__ image,
                        bool add) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= scan.nx || y >= scan.ny) return;
  float sum = 0;
#pragma unroll 4
  for (int nth = 0; nth < scan.views; ++nth) sum += voxel_value_single(scan, data, nth, x, y);
  float& pixel = image[static_cast<std::size_t>(y) * scan.nx + x];
  pixel = add ? pixel + sum : sum;
}

/// Lines of the views, see VoxelScan. Block (32, 8), grid (tiles of lines, tiles of places, views).
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
  turn_tile(lines, length, value, data + static_cast<std::size_t>(blockIdx.z) * lines * length);
}

/// The same for a single slice seen by one row. Grid (blocks of lines, views).
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
