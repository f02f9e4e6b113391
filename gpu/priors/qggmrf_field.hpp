#pragma once

#include "core/priors/qggmrf.hpp"
#include "gpu/priors/qggmrf_model.hpp"

namespace gantry {

/// Returns the parameters of the prior in the form that the kernels use.
device::QggmrfField qggmrf_field(const VolumeGrid& grid, const QggmrfShape& shape);

}  // namespace gantry
