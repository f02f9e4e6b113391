#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Return the formats of NRRD files: header and values in one file, which is read and written, and
/// a header that names the files of its values, which is read.
VolumeFormat nrrd_format();
VolumeFormat nrrd_header_format();

}  // namespace gantry
