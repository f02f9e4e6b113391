#pragma once

// Kernels of the area-integral model (arithmetic in area_model.hpp). Both products gather:
//
//                  block     a thread owns
//   area_forward   128       the ray (column 128 bx + tx, row = by, view bz), with Loop also the
//                            rows by + gridDim.y, ...: sums over the pixels of each
//   area_adjoint   (32, 8)   voxels (32 bx + tx, 8 by + ty, z = bz, + gridDim.z, ...): each sums
//                            over the cells of all views that see the voxel
//
// Shared memory is not used.
#include "gpu/projectors/area/area_model.hpp"
#include "gpu/projectors/common/tuning.hpp"

namespace gantry::device {

/// Computes rays[view][row][column]. Block of 128 threads, grid (columns, rows, views). Loop: for
/// more rows than a grid may have.
template <bool Loop>
__global__ void __launch_bounds__(shapes::column_threads)
    area_forward(AreaScan scan, const float* __restrict__ volume, float* __restrict__ rays) {
  const int column = blockIdx.x * shapes::column_threads + threadIdx.x;
  if (column >= scan.columns) return;
  const int v = scan.view_index(blockIdx.z);
  int row = blockIdx.y;
  do {
    rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column] =
        area_ray(scan, volume, v, column, row);
    row += gridDim.y;
  } while (Loop && row < scan.rows);
}

/// Computes volume[iz][iy][ix], which is overwritten. Block (32, 8), grid (x, y, z).
__global__ void __launch_bounds__(shapes::pixel_threads)
    area_adjoint(AreaScan scan, const float* __restrict__ rays, float* __restrict__ volume) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  if (x >= scan.nx || y >= scan.ny) return;
  for (int z = blockIdx.z; z < scan.nz; z += gridDim.z)
    volume[(static_cast<std::size_t>(z) * scan.ny + y) * scan.nx + x] =
        area_voxel(scan, rays, x, y, z);
}

}  // namespace gantry::device
