#pragma once

#include "core/base/vec3.hpp"

namespace gantry {

/// Where a volume's world lies in DICOM patient coordinates (LPS, mm):
/// patient = origin_mm + x x_axis + y y_axis + z z_axis for a world point (x, y, z).
/// x_axis and y_axis are unit vectors along image rows and columns. z runs along the normal of the
/// slices in the world; under gantry tilt z_axis is not: it keeps the shear from slice to slice,
/// and is longer than 1.
struct PatientFrame {
  Vec3 origin_mm, x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

  Vec3 to_patient(Vec3 world_mm) const {
    return origin_mm + world_mm.x * x_axis + world_mm.y * y_axis + world_mm.z * z_axis;
  }
  /// The same frame after world coordinates have been shifted by `shift_mm`.
  PatientFrame shifted(Vec3 shift_mm) const {
    PatientFrame frame = *this;
    frame.origin_mm = to_patient(-1.0 * shift_mm);
    return frame;
  }
  friend bool operator==(const PatientFrame&, const PatientFrame&) = default;
};

}  // namespace gantry
