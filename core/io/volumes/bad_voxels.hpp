#pragma once

#include "core/data/loaded_volume.hpp"

namespace gantry {

/// Sets values that are not finite to air, marks them in LoadedVolume::unknown and says so in a
/// note.
void set_bad_voxels_to_air(LoadedVolume& volume);

}  // namespace gantry
