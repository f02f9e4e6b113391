#include "core/metrics/error_sums.hpp"

#include "core/metrics/metric.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

ErrorSums sum_block(const ImagePair& pair, double shift, std::size_t first, std::size_t last) {
  ErrorSums sums;
  sums.shift = shift;
  for (std::size_t i = first; i < last; ++i) {
    if (!pair.mask.empty() && pair.mask[i] == 0) continue;
    const double r = pair.reference[i], error = pair.x[i] - r, shifted = r - shift;
    sums.count += 1;
    sums.squared_error += error * error;
    sums.absolute_error += std::abs(error);
    sums.squared_reference += r * r;
    sums.shifted += shifted;
    sums.squared_shifted += shifted * shifted;
    sums.low = std::min(sums.low, pair.reference[i]);
    sums.high = std::max(sums.high, pair.reference[i]);
  }
  return sums;
}

}  // namespace

ErrorSums& ErrorSums::operator+=(const ErrorSums& other) {
  count += other.count;
  squared_error += other.squared_error;
  absolute_error += other.absolute_error;
  squared_reference += other.squared_reference;
  shifted += other.shifted;
  squared_shifted += other.squared_shifted;
  low = std::min(low, other.low);
  high = std::max(high, other.high);
  return *this;
}

ErrorSums sum_errors(const ImagePair& pair) {
  require_shapes(pair);
  constexpr std::size_t block = 1 << 14;
  std::vector<ErrorSums> parts((pair.x.size() + block - 1) / block);
  ErrorSums total;
  total.shift = pair.reference.empty() ? 0.0 : static_cast<double>(pair.reference.front());
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t b = 0; b < static_cast<std::ptrdiff_t>(parts.size()); ++b) {
    const auto part = static_cast<std::size_t>(b);
    const std::size_t last = std::min(pair.x.size(), (part + 1) * block);
    parts[part] = sum_block(pair, total.shift, part * block, last);
  }
  for (const ErrorSums& part : parts) total += part;
  return total;
}

}  // namespace gantry
