#include "core/priors/smoothed_variation.hpp"

#include "core/physics/units.hpp"
#include "core/priors/common_params.hpp"
#include "core/priors/magnitude_prior.hpp"

namespace gantry {

std::vector<ParamSpec> smoothed_variation_params() {
  std::vector<ParamSpec> params = prior_weight_params(
      0.015, "Relative: as of total variation, 0.015 suits 100 000 photons. Absolute: in mm.");
  params.push_back({.key = "smoothing",
                    .label = "Smoothing",
                    .unit = "HU",
                    .fallback = 2.0,
                    .min = 0.001,
                    .max = 1e5,
                    .step = 1,
                    .help = "Differences far below this are smoothed like noise, so that the prior "
                            "has a gradient. The smaller, the closer to total variation, and the "
                            "more iterations. 1000 HU are water's 0.02 per mm."});
  return params;
}

double variation_smoothing(const Params& params) {
  return default_mu_water * params.real("smoothing") / 1000;
}

std::unique_ptr<Prior> make_smoothed_variation(Backend& backend, const VolumeGrid& grid,
                                               const Params& params) {
  return std::make_unique<MagnitudePrior<SmoothedPotential>>(
      smoothed_variation_traits, backend, grid,
      SmoothedPotential{static_cast<float>(variation_smoothing(params))}, "smoothed variation");
}

}  // namespace gantry
