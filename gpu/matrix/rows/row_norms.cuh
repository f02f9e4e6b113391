#pragma once

// Squared norms of matrix rows. A warp for each matrix row (ray), 8 warps in a block; its lanes
// take a layer each, 32 layers at a time, and the lanes' sums are added by shuffles.
//
//   layer      0        1              31        32       33             63
//           [ lane 0 | lane 1 | ... | lane 31 ][ lane 0 | lane 1 | ... | lane 31 ] ...
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

/// Computes ||a_i||^2 of all rows of a model (row_scan.hpp), in float64.
template <class Model>
__global__ void __launch_bounds__(usual_threads)
    square_rows(Model model, float* __restrict__ square) {
  const std::int64_t ray = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  const int columns = model.scan.columns();
  if (ray >= std::int64_t{columns} * model.scan.views) return;
  const auto row = model.row(static_cast<int>(ray / columns), static_cast<int>(ray % columns));
  double mine = 0;
  for (int slice = lane_of_warp(); slice < model.scan.slices(row.along_y()); slice += 32) {
    const PixelSpan span = row.pixels(slice);
    for (int pixel = span.begin; pixel < span.end; ++pixel) {
      const double weight = row.weight(slice, pixel);
      mine += weight > 0 ? weight * weight : 0;
    }
  }
  const double all = warp_sum(mine);
  if (lane_of_warp() == 0) square[ray] = static_cast<float>(all);
}

}  // namespace gantry::device
