#pragma once

#include "core/base/params.hpp"
#include "core/priors/prior.hpp"

#include <memory>

namespace gantry {

// The priors of the gradient's magnitude (core/priors/total_variation.hpp, smoothed_variation.hpp,
// huber.hpp, tikhonov.hpp) on a CUDA device. Their proximal map equals that of the CPU bit for bit.
// Each throws ShapeError on another backend.
std::unique_ptr<Prior> make_cuda_total_variation(Backend& backend, const VolumeGrid& grid,
                                                 const Params& params);
std::unique_ptr<Prior> make_cuda_huber(Backend& backend, const VolumeGrid& grid,
                                       const Params& params);
std::unique_ptr<Prior> make_cuda_tikhonov(Backend& backend, const VolumeGrid& grid,
                                          const Params& params);
std::unique_ptr<Prior> make_cuda_smoothed_variation(Backend& backend, const VolumeGrid& grid,
                                                    const Params& params);

}  // namespace gantry
