#pragma once

#include "core/io/imports/import_scan.hpp"

namespace gantry {

/// Returns the format by which a part of one of Gantry's own scan files is imported: a range of its
/// cells, groups of cells, every n-th view. A scan file that is taken as it is needs no import.
ImportFormat gantry_scan_frames_format();

}  // namespace gantry
