#pragma once

#include "core/base/params.hpp"
#include "core/priors/qggmrf.hpp"
#include "core/solvers/solver.hpp"

#include <memory>

namespace gantry {

/// The q-GGMRF prior on a CUDA device: gradient and curvature in one pass, neighbours through the
/// cache, in float32 with sums in float64.
std::unique_ptr<SmoothPrior> make_cuda_qggmrf(Backend& backend, const VolumeGrid& grid,
                                              const QggmrfShape& shape);

/// WLS-PCG with it and with filtered backprojection on the device.
std::unique_ptr<Solver> make_cuda_wls_pcg(const Params& params);

}  // namespace gantry
