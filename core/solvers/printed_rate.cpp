#include "core/solvers/printed_rate.hpp"

namespace gantry {

std::vector<ParamSpec> printed_rate_params() {
  return {{.key = "rate",
           .label = "Printed rate γ₀",
           .unit = "",
           .fallback = PrintedRate{}.first,
           .min = 1e-9,
           .max = 1e3,
           .step = 1e-4,
           .help = "Of the printed learning rate, in units of a voxel."},
          {.key = "decay",
           .label = "Decay of γ",
           .unit = "",
           .fallback = PrintedRate{}.decay,
           .min = 0,
           .max = 1e9,
           .step = 100,
           .help = "Of the printed learning rate: γ ← γ / (1 + decay γ) after each iteration."}};
}

PrintedRate printed_rate(const Params& params) {
  return {params.real("rate"), params.real("decay")};
}

}  // namespace gantry
