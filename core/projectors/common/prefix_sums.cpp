#include "core/projectors/common/prefix_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

PrefixUnit::PrefixUnit(const float* values, std::size_t count, double most) {
  float largest = 0, poison = 0;  // poison becomes NaN at the first value that is not finite
  const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for simd reduction(max : largest) reduction(+ : poison) if (parallel : n > 100000)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    largest = std::max(largest, std::abs(values[i]));
    poison += values[i] * 0.0F;
  }
  if (poison != 0.0F) {
    unit_ = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (largest == 0) return;
  int exponent = 0;
  std::frexp(largest * most, &exponent);  // largest * most < 2^exponent
  unit_ = std::ldexp(1.0, exponent - 30);
  per_unit_ = std::ldexp(1.0, 30 - exponent);
}

}  // namespace gantry
