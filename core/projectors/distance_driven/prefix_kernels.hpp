#pragma once

#include "core/projectors/distance_driven/dd_kernels.hpp"

#include <cstdint>

namespace gantry {

/// Inner loops over rows of prefix sums, for the branchless distance-driven projector. The prefix
/// sums of n values are n + 2 whole numbers modulo 2^32: sums[j] is the sum of the first j values,
/// and sums[n + 1] repeats sums[n]. S(u) denotes the sum at a position u: linear between entries,
/// constant before the first and after the last. Differences are exact as long as none exceeds
/// 2^31. Compiled once per instruction set; prefix_kernels() returns the version for the processor.
constexpr int prefix_padding = 2;

struct PrefixKernels {
  /// sum[c] += sum over layers of 1/scale_k * (S_k(U_k(edge c + 1)) - S_k(U_k(edge c))), for cells
  /// cell_first .. cell_last - 1. `sums` points at the prefix sums of layer layer_first; those of
  /// the next layers follow at distances of row_stride. `scratch` holds cell_last - cell_first + 1
  /// numbers.
  void (*forward)(const DdMap&, const std::int32_t* sums, int width, long row_stride,
                  int layer_first, int layer_last, int cell_first, int cell_last,
                  std::int32_t* scratch, float* sum);
  /// out[j] = low[j] + fraction (high[j] - low[j]); fraction in [0, 1].
  void (*interpolate)(const std::int32_t* low, const std::int32_t* high, float fraction, int count,
                      std::int32_t* out);
  /// out[q] += weight * (S(origin + (q + 1) pitch) - S(origin + q pitch)). `scratch` holds
  /// out_count + 1 numbers.
  void (*resample)(const std::int32_t* sums, int in_count, double origin, double pitch,
                   float weight, int out_count, std::int32_t* scratch, float* out);
  /// high[q] = low[q] + weight * (S(origin + (q + 1) pitch) - S(origin + q pitch)), with the second
  /// term computed in float32 and truncated to a whole number. `scratch` as for resample.
  void (*add_means)(const std::int32_t* sums, int in_count, double origin, double pitch,
                    float weight, int out_count, std::int32_t* scratch, const std::int32_t* low,
                    std::int32_t* high);
  /// With now[j] = low[j] + fraction (high[j] - low[j]): out[j] += weight * (now[j] - at[j]), and
  /// then at = now.
  void (*add_up_to)(const std::int32_t* low, const std::int32_t* high, float fraction, float weight,
                    int count, std::int32_t* at, float* out);
  /// With the same now: sums = prefix sums of the `count` values now[j] - at[j], and then at = now.
  void (*sum_up_to)(const std::int32_t* low, const std::int32_t* high, float fraction, int count,
                    std::int32_t* at, std::int32_t* sums);
};

const PrefixKernels& prefix_kernels();

}  // namespace gantry
