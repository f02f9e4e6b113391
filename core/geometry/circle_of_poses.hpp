#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <optional>

namespace gantry {

/// Returns the circle about the z axis that a scan with free poses is, to `tolerance` relative to
/// its lengths, in numbers of 12 digits; nothing where the poses are no circle. Many methods work
/// on circles alone.
std::optional<ScanSpec> circle_of_poses(const ScanSpec& poses, double tolerance = 1e-9);

}  // namespace gantry
