#pragma once

#include "gpu/device/host_device.hpp"

namespace gantry::device {

/// Zeros before the first and after the last voxel of a voxel line along z.
constexpr int voxel_line_padding = 2;

/// The interval of heights that a detector row covers on a voxel line, in voxels (voxel z spans z
/// .. z + 1). A voxel's weight is the part of the interval that lies in the voxel.
struct HeightInterval {
  float low, inverse_length;

  /// Returns the part of the interval below height `a`.
  GANTRY_HD float below(float a) const { return clamped((a - low) * inverse_length, 0.0F, 1.0F); }
  GANTRY_HD float weight(float z) const { return below(z + 1.0F) - below(z); }
};
/// Returns the mean of a voxel line over the interval. `line` points to voxel 0; voxel_line_padding
/// zeros surround the line. `Tall` allows intervals longer than a voxel; without Tall the interval
/// meets at most two voxels.
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
