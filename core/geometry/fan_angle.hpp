#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cmath>

namespace gantry {

/// Returns the angle between the ray through the axis and one that meets the detector of a fan or
/// cone beam `along_mm` from it, in the direction of growing columns, along an arc if the detector
/// is one.
inline double fan_angle_rad(const ScanSpec& spec, double along_mm) {
  return spec.detector == DetectorShape::arc ? along_mm / spec.source_to_detector_mm
                                             : std::atan2(along_mm, spec.source_to_detector_mm);
}

}  // namespace gantry
