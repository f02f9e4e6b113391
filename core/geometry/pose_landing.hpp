#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// Where a point is seen: a fractional column and row.
struct Landing {
  double column = 0, row = 0;
};

/// Returns where the flat detector of a view sees a point, mm, by Cramer's rule in its plane.
inline Landing landing(const ScanGeometry& scan, const View& pose, Vec3 point_mm) {
  const bool parallel = scan.beam() == Beam::parallel;
  const Vec3 normal = cross(pose.u_mm, pose.v_mm), start = parallel ? point_mm : pose.source_mm,
             direction = parallel ? pose.detector_mm - pose.source_mm : point_mm - pose.source_mm;
  const double along = dot(pose.detector_mm - start, normal) / dot(direction, normal);
  const Vec3 on = start + along * direction - pose.detector_mm;
  const double square = dot(normal, normal);
  return {scan.spec().central_column + dot(cross(on, pose.v_mm), normal) / square,
          scan.spec().central_row + dot(cross(pose.u_mm, on), normal) / square};
}

}  // namespace gantry
