#pragma once

#include "core/base/params.hpp"

namespace gantry {

/// Returns the parameter mu_water: the attenuation of density 1, 1/mm.
ParamSpec mu_water_param();

/// Returns the parameter size_mm: side of the square or cube to which [-1, 1] of a table is scaled.
ParamSpec size_param(const std::string& help);

/// Returns the parameter mu_scale: the attenuation of value 1 of a table, 1/mm.
ParamSpec mu_scale_param();

/// Returns the parameter radius_mm of a round body of water that holds everything else.
ParamSpec body_radius_param();

}  // namespace gantry
