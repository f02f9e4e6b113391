#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// The kinds of scan that an algorithm accepts. The flags are known before the algorithm is
/// created, for lists and forms; the function that creates the algorithm rejects all other scans
/// with a reason.
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

/// Scans on a circle or a helix about the axis.
inline constexpr SuitableScans turning_scans{.free_poses = false};

}  // namespace gantry
