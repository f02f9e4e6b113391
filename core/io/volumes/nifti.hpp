#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Returns the format of NIfTI-1 files, header and values in one file (.nii, .nii.gz), which are
/// read and written. Its axes run to the right, to the front and upwards (RAS); they are turned to
/// left, posterior, superior, as in MetaImage and DICOM, and back.
VolumeFormat nifti_format();

}  // namespace gantry
