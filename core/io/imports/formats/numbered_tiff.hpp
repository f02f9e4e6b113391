#pragma once

#include "core/io/imports/frame_angles.hpp"
#include "core/io/imports/import_scan.hpp"

#include <functional>
#include <string>
#include <vector>

namespace gantry {

/// Returns the angles of frames, degrees, and adds notes and assumptions to the scan; nothing where
/// they are not known.
using AnglesOfFrames = std::function<std::vector<double>(const FrameNumbers&, RawScan&)>;

/// A scan as a file of settings describes it, whose projections lie in TIFF files of their own.
struct TiffSettings {
  StatedGeometry stated;          ///< a circle with an angle for each projection that is counted
  std::string folder, prefix;     ///< of the projections; their names are PREFIX, digits, ".tif"
  int first_number = 0;           ///< of the projections, unless there is one with the number 0
  double white_level = 0;         ///< what a cell shows without an object; 0: not stated
  std::string white_level_field;  ///< that says so
  /// Of the settings that say that the projections were not divided by flats: "Flat Field
  /// Correction is OFF"; empty: they may have been.
  std::string uncorrected;
  /// Of angles that were measured, which take the place of those of the circle; empty: there are
  /// none.
  AnglesOfFrames measured_angles = {};
};

/// Opens the projections of the settings `request.path`. Flats and darks beside them are taken by
/// their names where the settings say that the projections lack them and where they have the same
/// cells, else named in a note. Where some are missing, each has the angle of its number. Throws
/// InputError where there are none, or more than the settings count.
RawScan numbered_tiff_scan(const ImportRequest& request, TiffSettings settings);

}  // namespace gantry
