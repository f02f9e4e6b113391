#pragma once

#include "gpu/device/host_device.hpp"

namespace gantry::device {

/// Voxels before the first and after the last of a line of voxels along z.
constexpr int column_padding = 2;

/// An interval of heights, in voxels (voxel z spans z .. z + 1): what a row weighs of a line of
/// voxels.
struct HeightInterval {
  float low, inverse_length;

  /// The share of it below `a`.
  GANTRY_HD float below(float a) const { return clamped((a - low) * inverse_length, 0.0F, 1.0F); }
  GANTRY_HD float weight(float z) const { return below(z + 1.0F) - below(z); }
};
/// Mean of a line of voxels over an interval; `line` is voxel 0, zeros lie around. Tall: it may be
/// longer than a voxel.
template <bool Tall>
GANTRY_HD float mean_over(const HeightInterval& interval, const float* line, int nz) {
  const float top = static_cast<float>(nz);
  if (Tall) {
    const float high = fminf(interval.low + 1.0F / interval.inverse_length, top);
    float sum = 0;
    for (float z = floorf(fmaxf(interval.low, 0.0F)); z < high; z += 1)
      sum = fmaf(interval.weight(z), load(line + static_cast<int>(z)), sum);
    return sum;
  }
  const float first = floorf(clamped(interval.low, -1.0F, top));
  const float share = interval.below(first + 1.0F);
  const float* at = line + static_cast<int>(first);
  const float next = load(at + 1);
  return fmaf(share, load(at) - next, next);
}

}  // namespace gantry::device
