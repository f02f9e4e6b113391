#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// ESRF's data format as projections: a folder of files, or a file of frames. Flats, darks (refHST,
/// darkend) and a list of angles are found by their names; else the positions of the motor "srot"
/// in the headers are the angles.
ImportFormat edf_frames_format();

}  // namespace gantry
