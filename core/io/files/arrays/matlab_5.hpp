#pragma once

#include "core/io/files/arrays/stored_array.hpp"

#include <string>

namespace gantry {

/// Opens the arrays in a MAT-file of version 5, see open_matlab().
ArrayFile open_matlab_5(const std::string& path);

}  // namespace gantry
