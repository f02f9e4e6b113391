#pragma once

// A copy of the rays in which the rows of a cell are contiguous, for dd_cone_adjoint.
#include "gpu/device/transpose_tile.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

namespace gantry::device {

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
