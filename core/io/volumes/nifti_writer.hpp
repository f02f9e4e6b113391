#pragma once

#include "core/io/volumes/volume_format.hpp"

#include <string>

namespace gantry {

/// Writes a volume as float32 into a NIfTI-1 file, packed where the name ends in .gz. The axes are
/// turned from left, posterior, superior to right, anterior, superior, in qform and sform alike;
/// the unit of the values stands in the description. Throws OutputError, also for more than 32767
/// voxels along an axis, which the header cannot hold.
void write_nifti(const std::string& path, const VolumeToWrite& volume);

}  // namespace gantry
