#pragma once

#include "core/io/volumes/stored_volume.hpp"

#include <string>
#include <string_view>

namespace gantry {

/// The first bytes of every NRRD header, but for the digit of the version.
inline constexpr std::string_view nrrd_magic = "NRRD000";

/// Whether a header, as far as it is in the first bytes of a file, names files of its values.
bool names_nrrd_data(std::string_view start);

/// Reads the header of an NRRD volume (teem.sourceforge.net/nrrd/format.html) of two or three
/// dimensions, with its values behind it or in other files. Directions in the patient's space RAS
/// or LAS are turned to LPS, as in MetaImage and DICOM. Throws InputError naming file and field.
StoredVolume read_nrrd_header(const std::string& path);

}  // namespace gantry
