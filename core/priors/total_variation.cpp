#include "core/priors/total_variation.hpp"

#include "core/priors/common_params.hpp"
#include "core/priors/magnitude_prior.hpp"

namespace gantry {

std::vector<ParamSpec> total_variation_params() {
  return prior_weight_params(0.015,
                             "Relative: one to two times the noise's fraction of the line "
                             "integrals, 0.015 suits 100 000 photons. Absolute: in mm.");
}

std::unique_ptr<Prior> make_total_variation(Backend& backend, const VolumeGrid& grid,
                                            const Params&) {
  return std::make_unique<MagnitudePrior<LinearPotential>>(total_variation_traits, backend, grid,
                                                           LinearPotential{}, "total variation");
}

}  // namespace gantry
