#pragma once

#include "core/io/imports/formats/numbered_tiff.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Returns what reads the angles as measured in _ctdata.txt, NAME_ctdata.txt or NAME.ang beside the
/// settings `path` of a Nikon scan; with a note, in a text of another name that ends so, if it is
/// the only one, not called after other settings, and within half a step of the angles that the
/// settings state. A text counts if it has an angle for each of
/// the images that are there; else a note names those without one. The columns, the unit and
/// decimals behind a comma are found as in other tables of angles (angle_table.hpp). `nominal_deg`:
/// the angles that the settings state, of which a note says how far they differ. Throws InputError
/// for a name in another folder.
AnglesOfFrames nikon_angles(const std::string& path, const std::string& name,
                            const std::vector<double>& nominal_deg);

}  // namespace gantry
