#pragma once

#include <optional>
#include <string>

namespace gantry {

/// What the log of the beamline TOMCAT (Swiss Light Source) says of the images beside it: a single
/// series of numbered files, first the darks, then flats, the projections, and at times flats
/// again.
struct TomcatLog {
  std::string file;  ///< its name
  int darks = 0, flats = 0, projections = 0;
  bool has_flats_between = false;  ///< at numbers that are not told
  std::optional<double> arc_deg;   ///< from the first projection to the last
  double step_deg = 0;             ///< 0: not stated
  double pixel_mm = 0;             ///< 0: not stated

  /// Returns "a.log counts 20 darks, 50 flats and 1501 projections".
  std::string counts() const;
};

/// Returns what the only such log of a folder says; nothing where there is none, or are several.
std::optional<TomcatLog> read_tomcat_log(const std::string& folder);

}  // namespace gantry
