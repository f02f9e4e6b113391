#pragma once

#include "gpu/projectors/distance_driven/cone/compact_weight.hpp"

namespace gantry::device {

/// codes[i] = the code of 1 / sums[i], or of 0 where the sum is not above `threshold`
/// (Backend::safe_reciprocal). Any one-dimensional grid: thread t of n owns elements t, t + n, ...
__global__ void compact_reciprocals(const float* __restrict__ sums, std::size_t count,
                                    float threshold, float inverse_unit,
                                    std::uint16_t* __restrict__ codes) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads)
    codes[i] = sums[i] > threshold ? compact(1 / sums[i], inverse_unit) : std::uint16_t{0};
}

/// R of a gradient step: a float for every ray (plain), a code for every ray (codes), or the
/// identity (neither).
struct RowWeight {
  const float* plain = nullptr;
  const std::uint16_t* codes = nullptr;
  float unit = 0;  ///< of the codes

  __device__ __forceinline__ float times(float value, std::size_t ray) const {
    if (codes != nullptr) return value * expanded(__ldg(codes + ray), unit);
    return plain != nullptr ? value * plain[ray] : value;
  }
};

}  // namespace gantry::device
