#pragma once

#include "core/base/vec3.hpp"

namespace gantry {

/// Position of the world coordinates of a volume in DICOM patient coordinates (LPS, mm):
/// patient = origin_mm + x x_axis + y y_axis + z z_axis for a world point (x, y, z).
/// x_axis and y_axis are unit vectors along the rows and columns of the images. In the world, z is
/// normal to the slices. Under gantry tilt z_axis is not normal to x_axis and y_axis: it contains
/// the shear from slice to slice and is longer than 1.
struct PatientFrame {
  Vec3 origin_mm, x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

  Vec3 to_patient(Vec3 world_mm) const {
    return origin_mm + world_mm.x * x_axis + world_mm.y * y_axis + world_mm.z * z_axis;
  }
  /// Returns the frame for world coordinates to which `shift_mm` has been added.
  PatientFrame shifted(Vec3 shift_mm) const {
    PatientFrame frame = *this;
    frame.origin_mm = to_patient(-1.0 * shift_mm);
    return frame;
  }
  friend bool operator==(const PatientFrame&, const PatientFrame&) = default;
};

}  // namespace gantry
