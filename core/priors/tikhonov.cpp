#include "core/priors/tikhonov.hpp"

#include "core/priors/common_params.hpp"
#include "core/priors/magnitude_prior.hpp"

namespace gantry {

std::vector<ParamSpec> tikhonov_params() {
  return prior_weight_params(3, "Relative: 3 suits 100 000 photons. Absolute: in mm².");
}

std::unique_ptr<Prior> make_tikhonov(Backend& backend, const VolumeGrid& grid, const Params&) {
  return std::make_unique<MagnitudePrior<QuadraticPotential>>(
      tikhonov_traits, backend, grid, QuadraticPotential{}, "Tikhonov's penalty");
}

}  // namespace gantry
