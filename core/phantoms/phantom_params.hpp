#pragma once

#include "core/base/params.hpp"

namespace gantry {

/// mu_water: what densities relative to water are multiplied by, 1/mm.
ParamSpec mu_water_param();

/// size_mm: side of the square or cube that a table in [-1, 1] fills.
ParamSpec size_param(const std::string& help);

/// mu_scale: 1/mm for a table's value 1.
ParamSpec mu_scale_param();

/// radius_mm: of a round body of water that holds everything else.
ParamSpec body_radius_param();

}  // namespace gantry
