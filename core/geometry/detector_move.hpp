#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// How a detector lies against the place that a scan states for it, the same in all views. Angles
/// are right-handed rotations about the detector's point (View::detector_mm): first the roll about
/// the normal u x v, which leads u towards v; then the pitch about u and the yaw about v, as these
/// lie by then. The shifts follow u and v of the scan.
struct DetectorMove {
  double roll_rad = 0, pitch_rad = 0, yaw_rad = 0;
  double lateral_mm = 0;  ///< along u
  double axial_mm = 0;    ///< along v

  friend bool operator==(const DetectorMove&, const DetectorMove&) = default;
};

/// Returns the scan with a pose for each view. Throws InputError for a fan beam and for an arc
/// detector, which have no free poses.
ScanSpec with_free_poses(const ScanSpec& scan);

/// Whether the detector of a scan on a circle may be tilted in its plane: a flat one of several
/// rows, in a beam that is not a fan.
bool can_be_tilted(const ScanSpec& scan);

/// Returns the scan with its detector moved, as free poses. Throws as with_free_poses().
ScanSpec with_moved_detector(const ScanSpec& scan, const DetectorMove& move);

}  // namespace gantry
