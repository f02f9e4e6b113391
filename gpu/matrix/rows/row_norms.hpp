#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// ||a_i||^2 of the rays of some views, computed on the projector's CUDA device where that knows
/// its rows (DeviceRows), else on the host: a RowNormMaker.
std::vector<float> squared_row_norms_on_device(const Projector& A, const std::vector<int>& views);

/// make_parallel_art with these norms.
std::unique_ptr<Solver> make_cuda_parallel_art(const Params& params);

}  // namespace gantry
