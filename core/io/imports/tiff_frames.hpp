#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// TIFF as projections: a folder of files with one frame each, a file with a frame per page, or a
/// file with a single page, which is a sinogram [view][column]. Flats, darks and a list of angles
/// are found by their names (frame_files.hpp).
ImportFormat tiff_frames_format();

}  // namespace gantry
