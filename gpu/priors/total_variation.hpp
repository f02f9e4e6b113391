#pragma once

#include "core/base/params.hpp"
#include "core/priors/regularizer.hpp"
#include "core/solvers/solver.hpp"

#include <memory>

namespace gantry {

/// Total variation on a CUDA device: the CPU's passes, voxel by voxel to the bit. Its memory is one
/// dual vector and the partial sums of a few thousand blocks.
std::unique_ptr<Regularizer> make_cuda_total_variation(Backend& backend, const VolumeGrid& grid);

/// FISTA-TV with it.
std::unique_ptr<Solver> make_cuda_fista_tv(const Params& params);

}  // namespace gantry
