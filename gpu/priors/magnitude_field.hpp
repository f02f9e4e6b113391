#pragma once

#include "core/priors/differences.hpp"
#include "gpu/priors/magnitude_model.hpp"

namespace gantry {

/// Returns the parameters of the differences in the form that the kernels use.
device::MagnitudeField magnitude_field(const VolumeGrid& grid);

}  // namespace gantry
