#include "core/operator/projector.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"

#include <cmath>

namespace gantry {

namespace {

std::string rounded(double value) {
  TextStream text;
  text.precision(4);
  text << value;
  return text.str();
}

}  // namespace

Projector::Projector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                     const VolumeGrid& grid)
    : LinearOperator(backend, grid.voxels(), geometry->cells(), geometry->views()),
      geometry_(std::move(geometry)),
      grid_(grid) {
  grid_.validate("grid");
  require_source_outside(*geometry_, grid_);
}

bool is_planar(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return grid.nz == 1 && geometry.rows() == 1 && geometry.beam() != Beam::cone &&
         geometry.rotates();
}

void require_turning(const ScanGeometry& geometry, const std::string& method) {
  if (!geometry.rotates())
    throw UsageError(method + " needs a scan that rotates about the axis, not free poses",
                     "geometry", "use a projector that takes free poses");
}

namespace {

/// Throws UsageError unless every corner of the volume lies ahead of every source.
void require_poses_outside(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  for (int v = 0; v < geometry.views(); ++v) {
    const View pose = geometry.view(v);
    Vec3 ahead = normalized(cross(pose.u_mm, pose.v_mm));
    const double distance = dot(pose.detector_mm - pose.source_mm, ahead);
    if (distance < 0) ahead = -1.0 * ahead;
    for (const double x : {low.x, high.x})
      for (const double y : {low.y, high.y})
        for (const double z : {low.z, high.z})
          if (dot(Vec3{x, y, z} - pose.source_mm, ahead) < 1e-3 * std::abs(distance))
            throw UsageError("the source of view " + std::to_string(v) +
                                 " lies inside the volume, or a part of the volume lies behind it",
                             "grid", "use fewer or smaller voxels, or correct the pose");
  }
}

}  // namespace

void require_source_outside(const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (geometry.beam() == Beam::parallel) return;
  if (!geometry.rotates()) return require_poses_outside(geometry, grid);
  const Vec3 low = grid.lower_corner_mm(), high = grid.upper_corner_mm();
  double reach = 0;  // distance of the farthest corner from the axis
  for (const double x : {low.x, high.x})
    for (const double y : {low.y, high.y}) reach = std::max(reach, std::hypot(x, y));
  const double distance = geometry.spec().source_to_isocenter_mm;
  if (reach < 0.999 * distance) return;
  // If the angles leave a gap, the source may stay outside a volume off the axis: test each view.
  for (int v = 0; v < geometry.views(); ++v) {
    const View pose = geometry.view(v);
    const Vec3 forward = normalized(pose.detector_mm - pose.source_mm);
    for (const double x : {low.x, high.x})
      for (const double y : {low.y, high.y})
        if (dot(Vec3{x, y, pose.source_mm.z} - pose.source_mm, forward) < 1e-3 * distance)
          throw UsageError("the source, " + rounded(distance) +
                               " mm from the axis, lies inside the volume, or a part of the volume "
                               "lies behind it: the volume reaches " +
                               rounded(reach) + " mm",
                           "grid",
                           "use fewer or smaller voxels, or correct source_to_isocenter_mm");
  }
}

}  // namespace gantry
