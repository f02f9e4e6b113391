#pragma once

#include "core/base/vec3.hpp"

#include <vector>

namespace gantry {

/// Three unit vectors at right angles to each other: the own axes of a solid.
struct Axes {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

/// Axes from two directions at right angles, of any length; the third follows.
Axes axes_from_xy(Vec3 x, Vec3 y);
Axes axes_from_zx(Vec3 z, Vec3 x);
Axes axes_from_zy(Vec3 z, Vec3 y);
/// Axes whose z points along a direction; x and y are any: for what is round about z.
Axes axes_from_z(Vec3 z);
/// The world's axes turned about z, counter-clockwise seen from +z.
Axes axes_turned(double angle_rad);

/// The half-space <normal, point> < distance, with a normal of unit length.
struct HalfSpace {
  Vec3 normal;
  double distance = 0;
};
HalfSpace below(Vec3 normal, double distance);  ///< <n, p> < distance; any length of n
HalfSpace above(Vec3 normal, double distance);  ///< <n, p> > distance

enum class SolidKind { ellipsoid, cylinder, cone, box };

/// A convex body, cut by half-spaces, of attenuation `mu`. Lengths are in mm and mu in 1/mm where a
/// phantom is made of it; a table may have its own units and be scaled.
struct Solid {
  SolidKind kind = SolidKind::ellipsoid;
  Vec3 center;
  Vec3 half;  ///< half axes, half sides; of cylinder and cone: radii along x and y, half length
  Axes axes = {};
  double taper =
      1;  ///< of a cone: radius at its +z end over that at its -z end, where `half` holds
  double mu = 0;
  std::vector<HalfSpace> clips = {};
};

Solid ellipsoid(Vec3 center, Vec3 half_axes, double mu, const Axes& axes = {});
Solid sphere(Vec3 center, double radius, double mu);
/// An elliptic cylinder along its own z.
Solid cylinder(Vec3 center, double radius_x, double radius_y, double length, double mu,
               const Axes& axes = {});
/// A frustum along its own z: `first_radius` at its -z end, which is positive.
Solid cone(Vec3 center, double first_radius, double last_radius, double length, double mu,
           const Axes& axes = {});
/// `sides` are full lengths.
Solid box(Vec3 center, Vec3 sides, double mu, const Axes& axes = {});
/// The solid, cut by one more half-space after the other.
Solid clipped(Solid solid, const std::vector<HalfSpace>& clips);
/// The solid moved by `shift` in its own units, then brought to others.
Solid scaled(Solid solid, double length, double mu, Vec3 shift = {});

}  // namespace gantry
