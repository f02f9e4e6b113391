#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>

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

/// How far the detector of one view lies from the place that a scan states for it, in cells.
struct CellShift {
  double columns = 0;  ///< along u
  double rows = 0;     ///< along v
};

/// Returns the scan with a pose for each view. Throws InputError for a fan beam and for an arc
/// detector, which have no free poses.
ScanSpec with_free_poses(const ScanSpec& scan);

/// Whether the detector of a scan on a circle may be tilted in its plane: a flat one of several
/// rows, in a beam that is not a fan.
bool can_be_tilted(const ScanSpec& scan);

/// Returns the scan with its detector moved, as free poses. Throws as with_free_poses().
ScanSpec with_moved_detector(const ScanSpec& scan, const DetectorMove& move);

/// Returns the scan with its detector shifted in each view, as free poses; a fan becomes a cone of
/// one row. Throws as with_free_poses(); ShapeError unless there are as many shifts as views.
ScanSpec with_shifted_detector(ScanSpec scan, std::span<const CellShift> shifts);

}  // namespace gantry
