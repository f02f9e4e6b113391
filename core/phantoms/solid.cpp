#include "core/phantoms/solid.hpp"

#include <cmath>
#include <utility>

namespace gantry {

Axes axes_from_xy(Vec3 x, Vec3 y) {
  const Vec3 ux = normalized(x), uy = normalized(y);
  return {ux, uy, cross(ux, uy)};
}

Axes axes_from_zx(Vec3 z, Vec3 x) {
  const Vec3 uz = normalized(z), ux = normalized(x);
  return {ux, cross(uz, ux), uz};
}

Axes axes_from_zy(Vec3 z, Vec3 y) {
  const Vec3 uz = normalized(z), uy = normalized(y);
  return {cross(uy, uz), uy, uz};
}

Axes axes_from_z(Vec3 z) {
  const Vec3 uz = normalized(z);
  // An axis that is far from z.
  const Vec3 aside = std::abs(uz.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  return axes_from_zx(uz, cross(aside, uz));
}

Axes axes_turned(double angle_rad) {
  const double c = std::cos(angle_rad), s = std::sin(angle_rad);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}

HalfSpace below(Vec3 normal, double distance) { return {normalized(normal), distance}; }
HalfSpace above(Vec3 normal, double distance) { return {-1.0 * normalized(normal), -distance}; }

Solid ellipsoid(Vec3 center, Vec3 half_axes, double mu, const Axes& axes) {
  return {
      .kind = SolidKind::ellipsoid, .center = center, .half = half_axes, .axes = axes, .mu = mu};
}

Solid sphere(Vec3 center, double radius, double mu) {
  return ellipsoid(center, {radius, radius, radius}, mu);
}

Solid cylinder(Vec3 center, double radius_x, double radius_y, double length, double mu,
               const Axes& axes) {
  return {.kind = SolidKind::cylinder,
          .center = center,
          .half = {radius_x, radius_y, length / 2},
          .axes = axes,
          .mu = mu};
}

Solid cone(Vec3 center, double first_radius, double last_radius, double length, double mu,
           const Axes& axes) {
  return {.kind = SolidKind::cone,
          .center = center,
          .half = {first_radius, first_radius, length / 2},
          .axes = axes,
          .taper = last_radius / first_radius,
          .mu = mu};
}

Solid box(Vec3 center, Vec3 sides, double mu, const Axes& axes) {
  return {.kind = SolidKind::box, .center = center, .half = 0.5 * sides, .axes = axes, .mu = mu};
}

Solid clipped(Solid solid, const std::vector<HalfSpace>& clips) {
  solid.clips.insert(solid.clips.end(), clips.begin(), clips.end());
  return solid;
}

Solid scaled(Solid solid, double length, double mu, Vec3 shift) {
  solid.center = length * (solid.center + shift);
  solid.half = length * solid.half;
  solid.mu *= mu;
  for (HalfSpace& clip : solid.clips)
    clip.distance = length * (clip.distance + dot(clip.normal, shift));
  return solid;
}

}  // namespace gantry
