#pragma once

#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/stored_row_model.hpp"

namespace gantry::device {

/// ||a_i||^2 from a model of the rows (row_scan.hpp), summed in float64. A warp per row, a lane per
/// slice. Blocks of 256.
template <class Model>
__global__ void __launch_bounds__(256) square_rows(Model model, float* __restrict__ square) {
  const std::int64_t ray = blockIdx.x * std::int64_t{8} + threadIdx.x / 32;
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
