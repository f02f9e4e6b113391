#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// Arrays of NumPy as projections: .npy with one array [view][row][column] or a sinogram
/// [view][column], and .npz with flats, darks and angles beside it, known by their names.
ImportFormat numpy_frames_format();

}  // namespace gantry
