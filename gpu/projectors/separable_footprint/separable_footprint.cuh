#pragma once

// Kernels of separable footprints (arithmetic in sf_model.hpp). In the forward product a thread
// visits the pixels whose footprint touches its detector column, layer by layer; in the transpose a
// voxel visits the cells that its footprint touches.
//
//   kernel             block     a thread owns
//   sf_forward         128       Rows rays of one detector column: see below
//   sf_forward_plane   128       ray of column 128 bx + t in view bz
//   sf_adjoint         1D        voxels z = first_z + lane + Lanes j of a voxel line
//                                (line_tile.cuh)
//   sf_adjoint_plane   (32, 8)   pixel (32 bx + tx, 8 by + ty)
//   sf_data            (32, 8)   block: columns 32 bx .. + 31, rows 32 by .. + 31 of view bz,
//                                transposed through shared memory
//
// sf_forward, block (bx, by) of view bz: Lanes threads (32; 4 where rows are few) have neighbouring
// rows of a column, and so read neighbouring voxels of the same voxel lines.
//
//                          column c0          column c0 + 1    ...      c0 = bx 128 / Lanes
//   row r0                 thread 0           thread Lanes              r0 = by Lanes Rows
//   row r0 + 1             thread 1           thread Lanes + 1
//   ...
//   row r0 + Lanes - 1     thread Lanes - 1   thread 2 Lanes - 1
//   rows r0 + Lanes .. r0 + Rows Lanes - 1: the same threads again, so that each has Rows rows
//
// Only sf_adjoint (the tile of LineTile) and sf_data use shared memory.
#include "gpu/device/line_tile.cuh"
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/separable_footprint/sf_model.hpp"
#include "gpu/projectors/separable_footprint/tuning.hpp"

namespace gantry::device {

/// Computes rays[view][row][column]. Lanes neighbouring threads have neighbouring rows of a column;
/// each thread has `Rows` rows, Lanes apart. Block of 128 threads, grid (columns, rows, views).
template <bool Tall, int Lanes, int Rows>
__global__ void __launch_bounds__(shapes::ray_threads)
    sf_forward(SfScan scan, const float* __restrict__ columns, float* __restrict__ rays) {
  const int column = blockIdx.x * (shapes::ray_threads / Lanes) + threadIdx.x / Lanes;
  const int first_row = blockIdx.y * Lanes * Rows + threadIdx.x % Lanes;
  if (column >= scan.columns || first_row >= scan.rows) return;
  const int v = scan.view_index(blockIdx.z);
  float sum[Rows];
  sf_rays<Tall>(scan, columns, v, column, first_row, Lanes, sum);
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
    const int row = first_row + j * Lanes;
    if (row >= scan.rows) continue;
    const std::size_t cell = static_cast<std::size_t>(row) * scan.columns + column;
    rays[static_cast<std::size_t>(v) * scan.rows * scan.columns + cell] =
        scan.cone ? sum[j] * load(scan.inverse_cosine + cell) : sum[j];
  }
}

/// Computes the rays of a single slice seen by one row: image is [iy][ix], turned [ix][iy]. Grid
/// (columns, 1, views).
__global__ void __launch_bounds__(shapes::column_threads)
    sf_forward_plane(SfScan scan, const float* __restrict__ image, const float* __restrict__ turned,
                     float* __restrict__ rays) {
  const int column = blockIdx.x * shapes::column_threads + threadIdx.x;
  if (column >= scan.columns) return;
  const int v = scan.view_index(blockIdx.z);
  rays[static_cast<std::size_t>(v) * scan.columns + column] =
      sf_ray(scan, image, turned, v, column);
}

/// Backprojects `data` (see sf_data). `Lanes` threads work on a voxel line along z; each has
/// `Voxels` voxels, Lanes apart. Grid: (x, y, z) in tiles (LineTile). With `add` the result is
/// added to the volume; otherwise the volume is overwritten.
template <int Lanes, int Voxels, int LinesX, int LinesY>
__global__ void __launch_bounds__(Lanes* LinesX* LinesY)
    sf_adjoint(SfScan scan, const float* __restrict__ data, float* __restrict__ volume, bool add) {
  using Tile = LineTile<Lanes, Voxels, LinesX, LinesY>;
  __shared__ typename Tile::Storage storage;
  const Tile tile;
  float sum[Voxels];
#pragma unroll
  for (int j = 0; j < Voxels; ++j) sum[j] = 0;
  if (tile.x() < scan.nx && tile.y() < scan.ny)
    sf_voxels(scan, data, tile.x(), tile.y(), tile.first_z() + tile.lane(), Lanes, sum);
  tile.store(storage, sum, scan.nx, scan.ny, scan.nz, volume, add);
}

/// Backprojects a single slice seen by one row. Block (32, 8), grid (x, y).
__global__ void __launch_bounds__(shapes::pixel_threads)
    sf_adjoint_plane(SfScan scan, const float* __restrict__ rays, float* __restrict__ image) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  if (x < scan.nx && y < scan.ny)
    image[static_cast<std::size_t>(y) * scan.nx + x] = sf_pixel(scan, rays, x, y);
}

/// Computes data[nth view][column][row] = ray over its cosine. Block (32, 8), grid (tiles of
/// columns, tiles of rows, views).
__global__ void sf_data(SfScan scan, const float* __restrict__ rays, float* __restrict__ data) {
  const float* from =
      rays + static_cast<std::size_t>(scan.view_index(blockIdx.z)) * scan.rows * scan.columns;
  const auto weighted = [&](int column, int row) {
    const std::size_t cell = static_cast<std::size_t>(row) * scan.columns + column;
    return scan.cone ? from[cell] * load(scan.inverse_cosine + cell) : from[cell];
  };
  transpose_tile(scan.columns, scan.rows, weighted,
                 data + static_cast<std::size_t>(blockIdx.z) * scan.columns * scan.rows);
}

}  // namespace gantry::device
