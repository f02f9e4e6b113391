#pragma once

// The residuals of a stored ray under the elements of the symmetry group, in kernels that compute
// residual and backprojection in one launch (scsr_fused.cuh, scsr_dense_fused.cuh).
#include "gpu/matrix/scsr/scsr_copies.cuh"

namespace gantry::device {

/// The measured rays, their weights, and the residuals that are computed.
struct FusedRays {
  const float *b, *weight;  ///< weight: [ray], or null for 1
  float* r;
  float unit;  ///< of the stored weights
};

/// Replaces value[g], the products of column c of a stored view with the image under each element,
/// by r = C (b - unit value) of the rays that the elements make of it, and by 0 where they make
/// none. Returns the sum of (b - unit value)^2. With `writes`, r is written to rays.r too.
template <int Count>
__device__ double stored_ray_residuals(const StoredViewMaps& maps, int stored_view, int c,
                                       const FusedRays& rays, float unit, bool writes,
                                       float (&value)[Count]) {
  double square = 0;
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    const StoredView to = maps.image[8 * stored_view + g];
    if (to.view < 0) {
      value[g] = 0;
      continue;
    }
    const std::size_t ray =
        static_cast<std::size_t>(to.view) * maps.columns + flipped(c, maps.columns, to.flip);
    const float residual = rays.b[ray] - unit * value[g];
    square += static_cast<double>(residual) * residual;
    value[g] = rays.weight != nullptr ? residual * rays.weight[ray] : residual;
    if (writes) rays.r[ray] = value[g];
  }
  return square;
}

}  // namespace gantry::device
