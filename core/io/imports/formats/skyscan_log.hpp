#pragma once

#include "core/io/imports/numbered_tiff.hpp"

#include <string>

namespace gantry {

/// What a log of a Bruker SkyScan machine says of a scan.
struct SkyscanLog {
  TiffSettings settings;
  int parts = 1;         ///< connected scans, which together see a longer object
  bool is_whole = true;  ///< false: the log of all of several parts, which have their own
};

/// Reads a log. Throws InputError, also for trajectories that are no circle. Contradictions are
/// noted: the image pixel size is the camera's, times the binning, at the object; files times
/// rotation step are a turn where one is stated. The optical axis is taken as counted from the
/// lowest line, the axis of rotation as seen in the middle column.
SkyscanLog read_skyscan_log(const std::string& path);

}  // namespace gantry
