#pragma once

#include <filesystem>

namespace gantry {

/// Returns the folder of studies and other data files of the program: GANTRY_RESOURCES, else the
/// folder beside the installed program, else that in the source tree from which the program was
/// built.
std::filesystem::path resource_folder();

}  // namespace gantry
