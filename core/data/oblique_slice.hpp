#pragma once

#include "core/data/slice.hpp"

#include <span>

namespace gantry {

/// A plane through a point: the axial one, turned about z by `turn_deg`, and then tilted by
/// `tilt_deg` about its own horizontal direction. Turned by 0 and tilted by 90 degrees it is
/// coronal; turned by 90 as well, sagittal.
struct ObliquePlane {
  Vec3 through_mm;
  double turn_deg = 0, tilt_deg = 0;

  Vec3 across() const;  ///< unit vector of the picture's u, in the plane z = const
  Vec3 along() const;   ///< unit vector of the picture's v
  Vec3 normal() const;  ///< across x along
  friend bool operator==(const ObliquePlane&, const ObliquePlane&) = default;
};

/// The value of oblique slices where there is no volume, 1/mm: black in every window.
constexpr float outside_of_oblique = -1e4F;

/// Returns a cut along a plane, from values on the host, [iz][iy][ix]. Its pixels are squares as
/// wide as the smallest side of a voxel, interpolated linearly between the eight nearest voxels;
/// u = v = 0 mm is at `through_mm`, and its axis and index have no meaning. The cut reaches as far
/// as the grid does.
SliceImage oblique_slice(const VolumeGrid& grid, std::span<const float> values,
                         const ObliquePlane& plane);

/// Returns the line in which a plane cuts the axial, coronal or sagittal plane through the same
/// point, as long as the grid's diagonal on either side; zero length if the planes are parallel.
LineSegment trace_of(const ObliquePlane& plane, Axis axis, const VolumeGrid& grid);

}  // namespace gantry
