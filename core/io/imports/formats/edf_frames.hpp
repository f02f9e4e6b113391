#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// ESRF's data format as projections: a folder of files, or a file of frames. Flats, darks (refHST,
/// darkend) and a list of angles are found by their names; else the positions of a motor in the
/// headers are the angles, srot or the like, of several the one that went farthest, else the range
/// that a file .info beside them states, which also tells how many of the frames are projections
/// (esrf_info.hpp).
ImportFormat edf_frames_format();

}  // namespace gantry
