#include "core/solvers/common_params.hpp"

namespace gantry {

ParamSpec nonnegative_param(bool fallback) {
  return {
      .key = "nonnegative",
      .label = "Non-negative",
      .unit = "",
      .fallback = fallback,
      .help = "Attenuation cannot be below zero: negative values are set to zero after each step."};
}

ParamSpec subsets_param(const std::string& extremes) {
  return {
      .key = "subsets",
      .label = "Subsets",
      .unit = "",
      .fallback = std::int64_t{10},
      .min = 1,
      .max = 65536,
      .step = 1,
      .help = "The views are dealt out to this many groups, each corrected in turn. " + extremes};
}

ParamSpec view_order_param() {
  return {.key = "order",
          .label = "View order",
          .unit = "",
          .fallback = std::string("golden"),
          .choices = {"natural", "golden", "random"},
          .help =
              "Golden: consecutive views lie far apart, which converges fastest. Natural: as "
              "measured."};
}

ParamSpec order_seed_param() {
  return {.key = "seed",
          .label = "Order seed",
          .unit = "",
          .fallback = std::int64_t{1},
          .min = 0,
          .max = 1e9,
          .step = 1,
          .help = "Starts the random view order; the same seed gives the same run."};
}

}  // namespace gantry
