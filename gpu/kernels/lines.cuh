#pragma once

// Volumes and views with the axis along which a kernel walks contiguous in memory.
#include "gpu/kernels/dd_cone.cuh"

namespace gantry::device {

/// lines[(iy nx + ix)(nz + 2 padding) + padding + iz] = volume[(iz ny + iy) nx + ix], zeros around.
/// Block (32, 8), grid (tiles along x, tiles along the padded z, y).
__global__ void volume_to_lines(const float* __restrict__ volume, float* __restrict__ lines, int nx,
                                int ny, int nz) {
  __shared__ float tile[32][33];
  const int length = nz + 2 * line_padding;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.z, first = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int z = first + j - line_padding;
    const bool inside = x < nx && z >= 0 && z < nz;
    tile[j][threadIdx.x] = inside ? volume[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
  }
  __syncthreads();
  const int place = first + threadIdx.x;
  if (place >= length) return;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int line = blockIdx.x * 32 + j;
    if (line < nx)
      lines[(static_cast<std::size_t>(y) * nx + line) * length + place] = tile[threadIdx.x][j];
  }
}

/// data[(nth columns + cell)(rows + 2 padding) + padding + row] = weight(cell, row) ray, zeros
/// around. Block (32, 8), grid (tiles of cells, tiles of padded rows, views).
__global__ void rays_to_lines(DdConeScan scan, const float* __restrict__ rays,
                              float* __restrict__ data) {
  __shared__ float tile[32][33];
  const int nth = blockIdx.z, v = scan.first_view + nth * scan.view_stride;
  const DdConeView& view = scan.view[v];
  const int length = scan.rows + 2 * line_padding;
  const float* from = rays + static_cast<std::size_t>(v) * scan.rows * scan.columns;
  const int first_row = blockIdx.y * 32 - line_padding, first_cell = blockIdx.x * 32;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int row = first_row + j, cell = first_cell + threadIdx.x;
    float value = 0;
    if (row >= 0 && row < scan.rows && cell < scan.columns) {
      const std::size_t at = static_cast<std::size_t>(v) * scan.columns + cell;
      const float slope = scan.rise[at] * (row + 0.5F - scan.row_origin);
      const int column = view.reversed ? scan.columns - 1 - cell : cell;
      value = from[static_cast<std::size_t>(row) * scan.columns + column] * scan.cell[at] *
              sqrtf(fmaf(slope, slope, 1.0F));
    }
    tile[j][threadIdx.x] = value;
  }
  __syncthreads();
  const int place = first_row + line_padding + threadIdx.x;
  if (place >= length) return;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int cell = first_cell + j;
    if (cell < scan.columns)
      data[(static_cast<std::size_t>(nth) * scan.columns + cell) * length + place] =
          tile[threadIdx.x][j];
  }
}

}  // namespace gantry::device
