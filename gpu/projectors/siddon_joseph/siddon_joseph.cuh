#pragma once

// Kernels of siddon_joseph_model.hpp.
#include "gpu/device/line_tile.cuh"
#include "gpu/device/turn_tile.cuh"
#include "gpu/projectors/siddon_joseph/siddon_joseph_model.hpp"

namespace gantry::device {

/// Lanes: neighbouring threads with neighbouring rows of a column; each has Rows of them, Lanes
/// apart. Block of 128 threads, grid (columns, rows, views). rays: [view][row][column].
template <RayWeighting weights, bool Tall, int Lanes, int Rows>
__global__ void __launch_bounds__(128)
    siddon_joseph_forward(SiddonJosephScan scan, const float* __restrict__ columns,
                          float* __restrict__ rays) {
  const int column = blockIdx.x * (128 / Lanes) + threadIdx.x / Lanes;
  const int first_row = blockIdx.y * Lanes * Rows + threadIdx.x % Lanes;
  if (column >= scan.columns || first_row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  float sum[Rows];
  interval_rays<weights, Tall>(scan, columns, v, column, first_row, Lanes, sum);
  float* out = rays + static_cast<std::size_t>(v) * scan.rows * scan.columns + column;
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
    const int row = first_row + j * Lanes;
    if (row < scan.rows) out[static_cast<std::size_t>(row) * scan.columns] = sum[j];
  }
}

/// The same for a single slice seen by one row. Grid (columns, 1, views).
template <RayWeighting weights>
__global__ void __launch_bounds__(128)
    siddon_joseph_forward_plane(SiddonJosephScan scan, const float* __restrict__ image,
                                const float* __restrict__ turned, float* __restrict__ rays) {
  const int column = blockIdx.x * 128 + threadIdx.x;
  if (column >= scan.columns) return;
  const int v = scan.view_index(blockIdx.z);
  rays[static_cast<std::size_t>(v) * scan.columns + column] =
      interval_ray<weights>(scan, image, turned, v, column);
}

/// Lanes: threads that share a line of voxels along z, each with Voxels of them, Lanes apart. Grid:
/// (x, y, z) in tiles of lines. With `add`, volume += , else =.
template <RayWeighting weights, int Lanes, int Voxels, int LinesX, int LinesY>
__global__ void __launch_bounds__(Lanes* LinesX* LinesY)
    siddon_joseph_adjoint(SiddonJosephScan scan, const float* __restrict__ data,
                          float* __restrict__ volume, bool add) {
  using Tile = LineTile<Lanes, Voxels, LinesX, LinesY>;
  __shared__ typename Tile::Storage storage;
  const Tile tile;
  float sum[Voxels];
#pragma unroll
  for (int j = 0; j < Voxels; ++j) sum[j] = 0;
  if (tile.x() < scan.nx && tile.y() < scan.ny)
    interval_voxels<weights>(scan, data, tile.x(), tile.y(), tile.first_z() + tile.lane(), Lanes,
                             sum);
  tile.store(storage, sum, scan.nx, scan.ny, scan.nz, volume, add);
}

/// The same for a single slice seen by one row. Block (32, 8), grid (x, y).
template <RayWeighting weights>
__global__ void __launch_bounds__(256)
    siddon_joseph_adjoint_plane(SiddonJosephScan scan, const float* __restrict__ data,
                                float* __restrict__ image, bool add) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= scan.nx || y >= scan.ny) return;
  const float sum = interval_pixel<weights>(scan, data, x, y);
  float& pixel = image[static_cast<std::size_t>(y) * scan.nx + x];
  pixel = add ? pixel + sum : sum;
}

/// data[nth view][column][row] = ray times its path. Block (32, 8), grid (tiles of columns, tiles
/// of rows, views).
__global__ void interval_data(SiddonJosephScan scan, const float* __restrict__ rays,
                              float* __restrict__ data) {
  const auto v = static_cast<std::size_t>(scan.view_index(blockIdx.z));
  const float* from = rays + v * scan.rows * scan.columns;
  const SiddonJosephLine* lines = scan.line + v * scan.columns;
  const auto weighted = [&](int column, int row) {
    return from[static_cast<std::size_t>(row) * scan.columns + column] *
           path_mm(scan, lines[column], row - scan.central_row);
  };
  turn_tile(scan.columns, scan.rows, weighted,
            data + static_cast<std::size_t>(blockIdx.z) * scan.columns * scan.rows);
}

}  // namespace gantry::device
