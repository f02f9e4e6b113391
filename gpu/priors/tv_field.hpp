#pragma once

#include "core/priors/total_variation.hpp"
#include "gpu/priors/tv_model.hpp"

namespace gantry {

/// The differences as the kernels take them.
device::TvField tv_field(const VolumeGrid& grid);

}  // namespace gantry
