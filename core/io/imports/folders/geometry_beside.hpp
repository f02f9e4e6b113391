#pragma once

#include "core/io/geometries/stated_geometry.hpp"
#include "core/io/imports/folders/frame_files.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

/// Returns whether the first bytes or the name of a file tell that it is a geometry of another
/// program (geometry_formats()); a table of any numbers is none.
bool is_geometry_file(const std::string& path);

/// Returns the geometries of other programs beside the images that have so many views, or so many
/// more, sorted. What they do not state of the detector comes from `known`.
std::vector<std::string> geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                           std::size_t views, std::size_t with_missing);

}  // namespace gantry
