#pragma once

#include "core/io/imports/formats/numbered_tiff.hpp"

#include <string>

namespace gantry {

/// What a log of a Bruker SkyScan machine says of a scan.
struct SkyscanLog {
  TiffSettings settings;
  int parts = 1;  ///< scans at several heights that the machine takes as one, of a long object
  /// The log describes all of these scans together and has no projections of its own; each scan
  /// has its own log beside it.
  bool is_summary = false;
  AxisShift axis_shift;  ///< of NRecon's reconstruction, where the log describes one
};

/// Reads a log. Throws InputError, also for trajectories that are no circle. Contradictions are
/// noted: the image pixel size is the camera's, times the binning, at the object; files times
/// rotation step are a turn where one is stated. The optical axis is taken as counted from the
/// lowest line. The log does not say in which column the axis of rotation is seen.
SkyscanLog read_skyscan_log(const std::string& path);

}  // namespace gantry
