#pragma once

// Products of a projector on any backend as vectors, and their deviations.
#include "core/operator/projector.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace gantry::test {

/// Returns the root mean square of a - b relative to that of b; absolute if b is zero.
inline double relative_rms(std::span<const float> a, std::span<const float> b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - b[i], 2);
    norm += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(difference / (norm > 0 ? norm : 1));
}

/// Returns A x for the views of a subset; 0.5 for other rays.
inline std::vector<float> forward_of(const Projector& A, const std::vector<float>& x,
                                     ViewSubset views) {
  Array y = Array::filled(A.backend(), A.range_size(), 0.5F);
  A.forward(Array::from(A.backend(), x), y, views);
  return y.to_host();
}
/// Returns A^T y for the views of a subset. The array holds NaN before, which the product must
/// overwrite.
inline std::vector<float> adjoint_of(const Projector& A, const std::vector<float>& y,
                                     ViewSubset views) {
  Array x = Array::filled(A.backend(), A.domain_size(), std::nanf(""));
  A.adjoint(Array::from(A.backend(), y), x, views);
  return x.to_host();
}

}  // namespace gantry::test
