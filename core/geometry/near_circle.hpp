#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// The circle about the z axis that free poses are near to.
struct NearCircle {
  ScanSpec scan;         ///< Trajectory::circular, as many views and cells as the poses have
  double source_mm = 0;  ///< greatest distance of a source from its place on the circle
  double ray_rad = 0;    ///< parallel beam: greatest angle of a ray to the plane of rotation
};

/// Returns the circle: mean distances and pitches, for each view the angle at which its source
/// stands (in a parallel beam, against which its rays run), and the central column and row at which
/// the isocentre is seen on average, columns to the right as seen from the source and rows upwards.
/// Poses may count theirs the other way round. Detectors may be tilted and displaced. Throws
/// UsageError, which names the view and `method`, where a detector lies on its side, and unless
/// each source lies within a fiftieth of the distance to the axis from its place on the circle; in
/// a parallel beam, each ray within 0.02 rad of the plane of rotation.
NearCircle near_circle(const ScanGeometry& poses, const std::string& method);

}  // namespace gantry
