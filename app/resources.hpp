#pragma once

#include <filesystem>

namespace gantry {

/// Where studies and other data files of the program lie: GANTRY_RESOURCES, else beside an
/// installed program, else in the source tree that it was built from.
std::filesystem::path resource_folder();

}  // namespace gantry
