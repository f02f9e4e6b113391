#pragma once

#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <string>

namespace gantry {

/// Returns whether the first bytes or the name of a file tell that it is a geometry of another
/// program (geometry_formats()); a table of any numbers is none.
bool is_geometry_file(const std::string& path);

/// Sets RawScan::geometry_file to the one geometry of another program beside the images that has a
/// view for each projection, or for each place up to the last one where some are missing
/// (RawScan::positions), unless the request states angles or distances. Where several fit, none is
/// taken, with a note.
void take_geometry_beside(const FrameFiles& files, const ImportRequest& request, RawScan& scan);

}  // namespace gantry
