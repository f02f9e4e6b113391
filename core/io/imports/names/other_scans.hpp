#pragma once

#include "core/io/imports/frame_files.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Takes the flats, darks and texts out of the files of a scan in `folder` that lie in a folder of
/// another scan, with a note: one that holds several `images` that are no flats or darks, but none
/// of the projections, and in which no folder of theirs lies.
void leave_out_other_scans(const std::string& folder, const std::vector<std::string>& images,
                           FrameFiles& files);

}  // namespace gantry
