// The priors of the gradient's magnitude that have no state; see magnitude_launch.cuh.
#include "core/priors/common_params.hpp"
#include "core/priors/huber.hpp"
#include "core/priors/smoothed_variation.hpp"
#include "core/priors/tikhonov.hpp"
#include "core/priors/total_variation.hpp"
#include "gpu/priors/magnitude_launch.cuh"
#include "gpu/priors/magnitude_priors.hpp"

namespace gantry {

namespace {

template <class Potential>
std::unique_ptr<Prior> make(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
                            Potential potential, double edge) {
  return std::make_unique<CudaMagnitudePrior<Potential>>(traits, backend, grid, potential, edge);
}

}  // namespace

std::unique_ptr<Prior> make_cuda_total_variation(Backend& backend, const VolumeGrid& grid,
                                                 const Params&) {
  return make(total_variation_traits, backend, grid, LinearPotential{}, 0);
}

std::unique_ptr<Prior> make_cuda_huber(Backend& backend, const VolumeGrid& grid,
                                       const Params& params) {
  const auto edge = static_cast<float>(prior_edge(params));
  return make(huber_traits, backend, grid, HuberPotential{edge}, static_cast<double>(edge));
}

std::unique_ptr<Prior> make_cuda_tikhonov(Backend& backend, const VolumeGrid& grid, const Params&) {
  return make(tikhonov_traits, backend, grid, QuadraticPotential{}, 0);
}

std::unique_ptr<Prior> make_cuda_smoothed_variation(Backend& backend, const VolumeGrid& grid,
                                                    const Params& params) {
  return make(smoothed_variation_traits, backend, grid,
              SmoothedPotential{static_cast<float>(variation_smoothing(params))}, 0);
}

}  // namespace gantry
