#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Returns the format of NIfTI-1 files, header and values in one file (.nii, .nii.gz), which are
/// read and written. Its axes run to the right, to the front and upwards (RAS); they are turned to
/// left, posterior, superior, as in MetaImage and DICOM, and back.
VolumeFormat nifti_format();

/// Returns the format of NIfTI-1 in two files, of which either may be named: a header (.hdr), and
/// the values (.img), both packed or not. It is only read.
VolumeFormat nifti_pair_format();

}  // namespace gantry
