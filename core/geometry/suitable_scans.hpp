#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// Which scans an algorithm takes. Known before the algorithm is made, for lists and forms; what
/// makes it refuses the others with the reason.
struct SuitableScans {
  bool parallel_and_fan = true;
  bool cone = true;
  bool helical = true;
  bool free_poses = true;

  bool include(const ScanGeometry& geometry) const {
    const Trajectory trajectory = geometry.spec().trajectory;
    return (geometry.beam() == Beam::cone ? cone : parallel_and_fan) &&
           (helical || trajectory != Trajectory::helical) &&
           (free_poses || trajectory != Trajectory::poses);
  }
  friend bool operator==(const SuitableScans&, const SuitableScans&) = default;
};

/// Scans that turn about the axis, on a circle or a helix.
inline constexpr SuitableScans turning_scans{.free_poses = false};

}  // namespace gantry
