#pragma once

#include "core/io/imports/formats/numbered_tiff.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns what reads the angles as measured in _ctdata.txt, NAME_ctdata.txt or NAME.ang beside the
/// settings `path` of a Nikon scan. A text counts if it has an angle for each of the images that
/// are there; else a note names those without one. `nominal_deg`: the angles that the settings
/// state, of which a note says how far they differ. Throws InputError for a name in another folder.
AnglesOfFrames nikon_angles(const std::string& path, const std::string& name,
                            const std::vector<double>& nominal_deg);

}  // namespace gantry
