#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"
#include "core/solvers/solver.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns ||a_i||^2 of the rays of some views, [view of the list][cell]. They are computed on the
/// projector's CUDA device if DeviceRows can compute the rows there, else on the host. A
/// RowNormMaker.
std::vector<float> squared_row_norms_on_device(const Projector& A, const std::vector<int>& views);

/// Makes parallel ART with the norms of squared_row_norms_on_device.
std::unique_ptr<Solver> make_cuda_parallel_art(const Params& params);

}  // namespace gantry
