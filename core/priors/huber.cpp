#include "core/priors/huber.hpp"

#include "core/priors/common_params.hpp"
#include "core/priors/magnitude_prior.hpp"

namespace gantry {

std::vector<ParamSpec> huber_params() {
  std::vector<ParamSpec> params = prior_weight_params(
      0.015, "Relative: as of total variation, 0.015 suits 100 000 photons. Absolute: in mm.");
  params.push_back(
      prior_edge_param("Differences between neighbours below this are smoothed like noise, larger "
                       "ones are kept as total variation keeps them."));
  return params;
}

std::unique_ptr<Prior> make_huber(Backend& backend, const VolumeGrid& grid, const Params& params) {
  return std::make_unique<MagnitudePrior<HuberPotential>>(
      huber_traits, backend, grid, HuberPotential{static_cast<float>(prior_edge(params))},
      "the Huber prior");
}

}  // namespace gantry
