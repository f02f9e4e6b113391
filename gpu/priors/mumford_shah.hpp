#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>

namespace gantry {

// The CUDA twins of core/priors/mumford_shah.hpp.
std::unique_ptr<Prior> make_cuda_weak_membrane(Backend& backend, const VolumeGrid& grid,
                                               const Params& params);
std::unique_ptr<Prior> make_cuda_ambrosio_tortorelli(Backend& backend, const VolumeGrid& grid,
                                                     const Params& params);

}  // namespace gantry
