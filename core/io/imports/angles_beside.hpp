#pragma once

#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/raw_scan.hpp"

#include <string>
#include <vector>

namespace gantry {

/// Sets RawScan::geometry_file to the one geometry of another program beside the images that has a
/// view for each projection, as views_of_projections() finds them. Where several fit, or the
/// request states angles or distances, none is taken. Returns why none is, or which do not fit, as
/// GeometriesBeside::unfit; nothing where there are none, and where the request gives one.
std::string take_geometry_beside(const FrameFiles& files, const ImportRequest& request,
                                 RawScan& scan);

/// Returns the angles in the first text beside the frames that fits, at first of those that are
/// called angles; nothing without any, with a note on the texts that have as many lines of numbers
/// as there are frames. Throws InputError for one that is called so and does not fit: frames may be
/// of another scan; and where none has the column that the request names.
std::vector<double> angles_beside(const FrameFiles& files, const FrameNumbers& numbers,
                                  const ImportRequest& request, RawScan& scan);

}  // namespace gantry
