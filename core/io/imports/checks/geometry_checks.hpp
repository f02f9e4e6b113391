#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// Returns what a user should check in the geometry of an imported scan, one line each: angles that
/// are all alike, that cover less than a degree, that views share, that stand out of their
/// neighbours, that are more than a hundred turns, that look like radians, or like degrees that
/// were taken as such; an axis outside the detector; where the size of a cell is known, one that no
/// detector has. Free poses have no angles and no axis.
std::vector<std::string> doubts_about(const ScanSpec& spec, bool lengths_are_known);

/// Throws UsageError for an axis that was given so far outside the detector that it is no column
/// of it: by more than its width. Nothing: none was given.
void require_near_axis(const std::optional<double>& column, int columns);

}  // namespace gantry
