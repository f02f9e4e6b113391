#pragma once

#include "core/io/volumes/volume_format.hpp"

namespace gantry {

/// Returns the format of NumPy's arrays [z][y][x] in .npy files, which are read and written. They
/// hold the values alone: voxels of 1 mm, centred on the axis, are taken for granted with a note.
/// The array of a .npz file is read as well, where a single one has two or three dimensions.
VolumeFormat npy_volume_format();

}  // namespace gantry
