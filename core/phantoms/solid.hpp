#pragma once

#include "core/base/vec3.hpp"

#include <vector>

namespace gantry {

/// Three orthonormal vectors: the axes of a solid in world coordinates.
struct Axes {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

/// Return the axes from two directions at right angles, of any length; the third axis completes a
/// right-handed system.
Axes axes_from_xy(Vec3 x, Vec3 y);
Axes axes_from_zx(Vec3 z, Vec3 x);
Axes axes_from_zy(Vec3 z, Vec3 y);
/// Returns axes whose z points along a direction, with arbitrary x and y: for solids that are round
/// about z.
Axes axes_from_z(Vec3 z);
/// Returns the world's axes rotated about z, counter-clockwise seen from +z.
Axes axes_turned(double angle_rad);

/// The half-space <normal, point> < distance, with a normal of unit length.
struct HalfSpace {
  Vec3 normal;
  double distance = 0;
};
HalfSpace below(Vec3 normal, double distance);  ///< <n, p> < distance, n = normal / |normal|
HalfSpace above(Vec3 normal, double distance);  ///< <n, p> > distance, n = normal / |normal|

enum class SolidKind { ellipsoid, cylinder, cone, box };

/// A convex body, clipped by half-spaces, of attenuation `mu`. Lengths are in mm and mu in 1/mm
/// when a phantom is made of the solid; tables may have their own units and are converted by
/// scaled().
struct Solid {
  SolidKind kind = SolidKind::ellipsoid;
  Vec3 center;
  Vec3 half;  ///< half axes or half sides; cylinder, cone: radii along x and y, half length
  Axes axes = {};
  /// The radius of a cone at its +z end, divided by the radius at its -z end, which `half` holds.
  double taper = 1;
  double mu = 0;
  std::vector<HalfSpace> clips = {};
};

Solid ellipsoid(Vec3 center, Vec3 half_axes, double mu, const Axes& axes = {});
Solid sphere(Vec3 center, double radius, double mu);
/// Returns an elliptic cylinder along the z of `axes`.
Solid cylinder(Vec3 center, double radius_x, double radius_y, double length, double mu,
               const Axes& axes = {});
/// Returns a frustum along the z of `axes`: first_radius at the -z end, which must be positive,
/// last_radius at the +z end.
Solid cone(Vec3 center, double first_radius, double last_radius, double length, double mu,
           const Axes& axes = {});
/// Returns a box; `sides` are full lengths.
Solid box(Vec3 center, Vec3 sides, double mu, const Axes& axes = {});
/// Returns the solid, clipped by further half-spaces.
Solid clipped(Solid solid, const std::vector<HalfSpace>& clips);
/// Returns the solid moved by `shift` (in the solid's units), with lengths then multiplied by
/// `length` and attenuation by `mu`.
Solid scaled(Solid solid, double length, double mu, Vec3 shift = {});

}  // namespace gantry
