#pragma once

#include "charts/painting/painter.hpp"

namespace gantry {

/// A position in the plane of a slice, mm.
struct PointMm {
  double u = 0, v = 0;
  friend bool operator==(const PointMm&, const PointMm&) = default;
};

/// The part of the plane that a slice view shows: the point at its centre, and the size of a
/// logical pixel.
struct SliceCamera {
  double center_u_mm = 0, center_v_mm = 0, mm_per_pixel = 1;
  friend bool operator==(const SliceCamera&, const SliceCamera&) = default;
};

/// The part of a slice that holds the object, mm.
struct ObjectBox {
  double low_u_mm = 0, high_u_mm = 0, low_v_mm = 0, high_v_mm = 0;

  double aspect() const { return (high_u_mm - low_u_mm) / (high_v_mm - low_v_mm); }
  friend bool operator==(const ObjectBox&, const ObjectBox&) = default;
};

/// Converts logical pixels of a view to positions in the plane of a slice (mm) and back. +u is to
/// the right; +v is up, or down when v_up is false.
struct SliceTransform {
  SliceCamera camera;
  RectPx picture;  ///< part of the view that shows the slice; the camera looks at its centre
  bool v_up = true;

  PointMm toWorld(double x_px, double y_px) const {
    const PointPx c = picture.centre();
    return {camera.center_u_mm + (x_px - c.x) * camera.mm_per_pixel,
            camera.center_v_mm + (y_px - c.y) * camera.mm_per_pixel * (v_up ? -1 : 1)};
  }
  PointPx toDisplay(double u_mm, double v_mm) const {
    const PointPx c = picture.centre();
    return {c.x + (u_mm - camera.center_u_mm) / camera.mm_per_pixel,
            c.y + (v_mm - camera.center_v_mm) / camera.mm_per_pixel * (v_up ? -1 : 1)};
  }
};

}  // namespace gantry
