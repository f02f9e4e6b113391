#include "core/alignment/centre_estimate.hpp"

#include "core/base/params.hpp"

#include <cmath>

namespace gantry {

std::string describe_support(const CentreEstimate& estimate) {
  if (estimate.pairs == 1) return "1 comparison of views";
  return std::to_string(estimate.pairs) + " comparisons of views, which agree to " +
         format_param(std::round(1000 * estimate.spread) / 1000) + " columns";
}

}  // namespace gantry
