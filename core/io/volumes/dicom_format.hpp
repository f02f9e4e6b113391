#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Returns the format of DICOM CT series: folders of files, single images and multi-frame files. It
/// has neither reader nor writer in a build without DICOM.
VolumeFormat dicom_format();

}  // namespace gantry
