#include "core/alignment/centre_estimate.hpp"

#include "core/base/params.hpp"

#include <cmath>

namespace gantry {

std::string describe_support(const CentreEstimate& estimate) {
  if (estimate.pairs == 1) return "1 comparison of views";
  const std::string spread = format_param(std::round(1000 * estimate.spread) / 1000) + " columns";
  if (!estimate.basis.empty()) return estimate.basis + ", parts of which agree to " + spread;
  return std::to_string(estimate.pairs) + " comparisons of views, which agree to " + spread;
}

}  // namespace gantry
