#pragma once

#include "core/solvers/direct/filtered_backprojection.hpp"

#include <memory>

namespace gantry {

/// Makes filtered backprojection with data, filter and image on a CUDA device, in float32.
std::unique_ptr<FilteredSum> make_cuda_filtered_sum(const Projector& projector, FilteringPlan plan);

/// Make FBP and FDK with filtered backprojection on the device.
std::unique_ptr<Solver> make_cuda_fbp(const Params& params);
std::unique_ptr<Solver> make_cuda_fdk(const Params& params);

}  // namespace gantry
