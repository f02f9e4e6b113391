#pragma once

// Which detector columns see a pixel, or a block of pixels, in the plane of rotation.
#include "gpu/device/host_device.hpp"

namespace gantry::device {

/// The projection of pixels to the detector of one view. Pixel (i, k), counted from the centre of
/// pixel (0, 0), projects to q = (across_0 + across_x i + across_y k) / (depth_0 + depth_x i +
/// depth_y k): the tangent of the fan angle, or in a parallel beam (denominator 1) the distance
/// from the central ray, mm.
struct SeenFrom {
  float across_0, across_x, across_y, depth_0, depth_x, depth_y;
};

/// The detector column of q: gain q + bias, on an arc gain atan(q) + bias.
struct SeenBy {
  float gain, bias;
  int arc, columns;
};

struct ColumnRange {
  int first, last;
};
/// Returns the columns that can see the pixels x_low .. x_high, y_low .. y_high: the columns
/// between the projections of the corners of this block, widened by 0.02 columns.
GANTRY_HD ColumnRange seen_columns(const SeenFrom& from, const SeenBy& by, int x_low, int x_high,
                                   int y_low, int y_high) {
  float low = 1e30F, high = -1e30F;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const float i = n % 2 == 0 ? static_cast<float>(x_low) - 0.5F
                               : static_cast<float>(x_high) + 0.5F,
                k = n < 2 ? static_cast<float>(y_low) - 0.5F : static_cast<float>(y_high) + 0.5F;
    const float q = fmaf(i, from.across_x, fmaf(k, from.across_y, from.across_0)) /
                    fmaf(i, from.depth_x, fmaf(k, from.depth_y, from.depth_0));
    const float seen = fmaf(by.gain, by.arc ? atanf(q) : q, by.bias);
    low = fminf(low, seen);
    high = fmaxf(high, seen);
  }
  constexpr float spare = 0.02F;
  const float top = static_cast<float>(by.columns);
  return {static_cast<int>(floorf(clamped(low + (0.5F - spare), 0.0F, top))),
          static_cast<int>(floorf(clamped(high + (0.5F + spare), -1.0F, top - 1.0F)))};
}

}  // namespace gantry::device
