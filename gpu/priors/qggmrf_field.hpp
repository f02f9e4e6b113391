#pragma once

#include "core/priors/qggmrf.hpp"
#include "gpu/priors/qggmrf_model.hpp"

namespace gantry {

/// The prior as the kernels take it.
device::QggmrfField qggmrf_field(const VolumeGrid& grid, const QggmrfShape& shape);

}  // namespace gantry
