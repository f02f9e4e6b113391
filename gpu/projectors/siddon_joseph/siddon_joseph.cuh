#pragma once

// Kernels of Siddon's and Joseph's weights where detector columns are parallel to z (arithmetic in
// siddon_joseph_model.hpp). In the forward product every thread walks along its rays, layer by
// layer; in the transpose every voxel gathers the rays near it.
//
//   kernel                        block         a thread owns
//   siddon_joseph_forward         128           Rows rays of one detector column: see below
//   siddon_joseph_forward_plane   128           ray of column 128 bx + t in view bz
//   siddon_joseph_adjoint         1D            voxels z = first_z + lane + Lanes j of a voxel line
//                                               (line_tile.cuh)
//   siddon_joseph_adjoint_plane   (32, 8)       pixel (32 bx + tx, 8 by + ty)
//   interval_data                 (32, 8)       block: columns 32 bx .. + 31, rows 32 by .. + 31 of
//                                               view bz, transposed through shared memory
//
// siddon_joseph_forward, block (bx, by) of view bz: Lanes threads (32; 4 where rows are few) have
// neighbouring rows of a column, and so read neighbouring voxels of the same voxel lines.
//
//                          column c0          column c0 + 1    ...      c0 = bx 128 / Lanes
//   row r0                 thread 0           thread Lanes              r0 = by Lanes Rows
//   row r0 + 1             thread 1           thread Lanes + 1
//   ...
//   row r0 + Lanes - 1     thread Lanes - 1   thread 2 Lanes - 1
//   rows r0 + Lanes .. r0 + Rows Lanes - 1: the same threads again, so that each has Rows rows
//
// Only siddon_joseph_adjoint (the tile of LineTile) and interval_data use shared memory.
#include "gpu/device/line_tile.cuh"
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/siddon_joseph/siddon_joseph_model.hpp"
#include "gpu/projectors/siddon_joseph/tuning.hpp"

namespace gantry::device {

/// Computes rays[view][row][column]. Lanes neighbouring threads have neighbouring rows of a column;
/// each thread has `Rows` rows, Lanes apart. Block of 128 threads, grid (columns, rows, views).
template <RayWeighting weights, bool Tall, int Lanes, int Rows>
__global__ void __launch_bounds__(shapes::ray_threads)
    siddon_joseph_forward(SiddonJosephScan scan, const float* __restrict__ columns,
                          float* __restrict__ rays) {
  const int column = blockIdx.x * (shapes::ray_threads / Lanes) + threadIdx.x / Lanes;
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

/// Computes the rays of a single slice seen by one row: image is [iy][ix], turned [ix][iy]. Grid
/// (columns, 1, views).
template <RayWeighting weights>
__global__ void __launch_bounds__(shapes::column_threads)
    siddon_joseph_forward_plane(SiddonJosephScan scan, const float* __restrict__ image,
                                const float* __restrict__ turned, float* __restrict__ rays) {
  const int column = blockIdx.x * shapes::column_threads + threadIdx.x;
  if (column >= scan.columns) return;
  const int v = scan.view_index(blockIdx.z);
  rays[static_cast<std::size_t>(v) * scan.columns + column] =
      interval_ray<weights>(scan, image, turned, v, column);
}

/// Backprojects `data` (see interval_data). `Lanes` threads work on a voxel line along z; each has
/// `Voxels` voxels, Lanes apart. Grid: (x, y, z) in tiles (LineTile). With `add` the result is
/// added to the volume; otherwise the volume is overwritten.
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

/// Backprojects a single slice seen by one row. Block (32, 8), grid (x, y).
template <RayWeighting weights>
__global__ void __launch_bounds__(shapes::pixel_threads)
    siddon_joseph_adjoint_plane(SiddonJosephScan scan, const float* __restrict__ data,
                                float* __restrict__ image, bool add) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  if (x >= scan.nx || y >= scan.ny) return;
  const float sum = interval_pixel<weights>(scan, data, x, y);
  float& pixel = image[static_cast<std::size_t>(y) * scan.nx + x];
  pixel = add ? pixel + sum : sum;
}

/// Computes data[nth view][column][row] = ray times its path per layer, mm. Block (32, 8), grid
/// (tiles of columns, tiles of rows, views).
__global__ void interval_data(SiddonJosephScan scan, const float* __restrict__ rays,
                              float* __restrict__ data) {
  const auto v = static_cast<std::size_t>(scan.view_index(blockIdx.z));
  const float* from = rays + v * scan.rows * scan.columns;
  const SiddonJosephLine* lines = scan.line + v * scan.columns;
  const auto weighted = [&](int column, int row) {
    return from[static_cast<std::size_t>(row) * scan.columns + column] *
           path_mm(scan, lines[column], row - scan.central_row);
  };
  transpose_tile(scan.columns, scan.rows, weighted,
                 data + static_cast<std::size_t>(blockIdx.z) * scan.columns * scan.rows);
}

}  // namespace gantry::device
