#pragma once

#include "charts/painting/painter.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <vtkCamera.h>
#include <vtkMatrix4x4.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

/// The direction and zoom of a camera that moves about the z axis of the world. Azimuth 0 looks
/// from the front (-y, where the source stands at gantry angle 0); azimuth moves the camera to the
/// right, elevation upwards.
class OrbitCamera {
 public:
  static constexpr double opening_deg = 24;

  OrbitCamera(double first_azimuth_deg, double first_elevation_deg)
      : first_azimuth_deg_(first_azimuth_deg), first_elevation_deg_(first_elevation_deg) {
    reset();
  }

  /// The elevation is clamped to +-89 degrees.
  void orbit(double azimuth_deg, double elevation_deg) {
    azimuth_deg_ = std::remainder(azimuth_deg_ + azimuth_deg, 360.0);
    elevation_deg_ = std::clamp(elevation_deg_ + elevation_deg, -89.0, 89.0);
  }
  void zoom(double factor) { zoom_ = std::clamp(zoom_ * factor, 0.2, 20.0); }
  /// Restores the first direction, and the zoom that shows everything.
  void reset() {
    azimuth_deg_ = first_azimuth_deg_;
    elevation_deg_ = first_elevation_deg_;
    zoom_ = 1;
  }

  /// Returns the distance, mm, at which a ball of this radius fills the view, without the zoom.
  static double distance_for(double radius_mm) {
    return radius_mm / std::sin(radians(opening_deg / 2));
  }
  /// Points a camera at `centre` from `distance` mm, divided by the zoom; what lies `depth` mm
  /// before and behind the centre is drawn.
  void place(vtkCamera& camera, Vec3 centre, double distance, double depth) const {
    aim(camera, centre, azimuth_deg_, elevation_deg_, distance / zoom_, depth);
  }
  /// Points a camera likewise, but from the first direction and without the zoom.
  void place_first(vtkCamera& camera, Vec3 centre, double distance, double depth) const {
    aim(camera, centre, first_azimuth_deg_, first_elevation_deg_, distance, depth);
  }
  /// Returns where a camera shows a point of the world, in a view of this size.
  static PointPx to_display(vtkCamera& camera, Vec3 at, double width_px, double height_px) {
    const std::array<double, 4> world = {at.x, at.y, at.z, 1};
    std::array<double, 4> seen{};
    camera.GetCompositeProjectionTransformMatrix(width_px / std::max(height_px, 1.0), -1, 1)
        ->MultiplyPoint(world.data(), seen.data());
    return {(seen[0] / seen[3] + 1) / 2 * width_px, (1 - seen[1] / seen[3]) / 2 * height_px};
  }

 private:
  static void aim(vtkCamera& camera, Vec3 centre, double azimuth_deg, double elevation_deg,
                  double distance, double depth) {
    const double a = radians(azimuth_deg), e = radians(elevation_deg);
    const Vec3 towards{std::cos(e) * std::sin(a), -std::cos(e) * std::cos(a), std::sin(e)};
    const Vec3 eye = centre + distance * towards;
    camera.SetViewAngle(opening_deg);
    camera.SetFocalPoint(centre.x, centre.y, centre.z);
    camera.SetPosition(eye.x, eye.y, eye.z);
    camera.SetViewUp(0, 0, 1);
    camera.SetClippingRange(std::max(distance - depth, 0.01 * distance), distance + depth);
  }

  double first_azimuth_deg_, first_elevation_deg_;
  double azimuth_deg_ = 0, elevation_deg_ = 0, zoom_ = 1;
};

}  // namespace gantry
