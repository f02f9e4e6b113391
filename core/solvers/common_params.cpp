#include "core/solvers/common_params.hpp"

#include "core/solvers/view_order.hpp"

namespace gantry {

ParamSpec relaxation_param(double fallback, const std::string& scale) {
  return {.key = "relaxation",
          .label = "Relaxation λ",
          .unit = "",
          .fallback = fallback,
          .min = 0.001,
          .max = 1.999,
          .step = 0.05,
          .help = (scale.empty() ? "Fraction of the correction that is applied." : scale) +
                  " Converges between 0 and 2; smaller values give less noise per iteration.",
          .in_names = "λ "};
}

ParamSpec simultaneous_relaxation_param(const std::string& scale) {
  ParamSpec relaxation = relaxation_param(1.0, scale);
  relaxation.help +=
      " Above 1 even areas overshoot from one iteration to the next; 1.9 is fastest in many "
      "iterations.";
  return relaxation;
}

ParamSpec nonnegative_param(bool fallback) {
  return {
      .key = "nonnegative",
      .label = "Non-negative",
      .unit = "",
      .fallback = fallback,
      .help = "Attenuation cannot be below zero: negative values are set to zero after each step."};
}

ParamSpec subsets_param(const std::string& extremes) {
  return {.key = "subsets",
          .label = "Subsets",
          .unit = "",
          .fallback = std::int64_t{10},
          .min = 1,
          .max = 65536,
          .step = 1,
          .help =
              "The views are divided into this many interleaved subsets; x is updated by one after "
              "another. " +
              extremes};
}

ParamSpec filtered_start_param() {
  return {.key = "start",
          .label = "Start",
          .unit = "",
          .fallback = std::string("fbp"),
          .choices = {"fbp", "zero"},
          .help =
              "Fbp: the filtered backprojection (for a cone beam FDK), which saves iterations; "
              "where a scan has none, zero."};
}

ParamSpec inner_iterations_param(int fallback) {
  return {.key = "inner",
          .label = "Inner iterations",
          .unit = "",
          .fallback = std::int64_t{fallback},
          .min = 1,
          .max = 1000,
          .step = 5,
          .help =
              "Iterations of the prior's proximal map within each step. They start from the "
              "result of the previous step, so that a few are enough."};
}

ParamSpec view_order_param() {
  return {.key = "order",
          .label = "View order",
          .unit = "",
          .fallback = std::string("golden"),
          .choices = view_order_names(),
          .help =
              "Golden and multilevel: consecutive views lie far apart, which converges fastest. "
              "Natural: as measured."};
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
