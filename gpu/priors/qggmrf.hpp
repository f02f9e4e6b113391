#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>

namespace gantry {

/// Makes the q-GGMRF prior on a CUDA device. Gradient and curvature are computed in one pass over
/// the voxels, in float32 and with sums in float64; neighbouring voxels come from the cache. Throws
/// ShapeError on another backend.
std::unique_ptr<Prior> make_cuda_qggmrf(Backend& backend, const VolumeGrid& grid,
                                        const Params& params);

}  // namespace gantry
