// With A = <q, q> and the cross product c = p x q, a line crosses the unit ball at
//   t = -<p, q> / A -+ sqrt(A - |c|^2) / A,
// which keeps digits that <p, q>^2 - A (|p|^2 - 1) would lose by cancellation. The cylinder uses
// this formula in x and y, and its interval is cut by the slab |z| < 1. The frustum has the radius
// m + k z at height z, with m = (taper + 1) / 2 and k = (taper - 1) / 2, and solves A t^2 + 2 B t +
// C < 0 with
//   A = qx^2 + qy^2 - k^2 qz^2,  B = px qx + py qy - k qz r,  C = px^2 + py^2 - r^2,  r = m + k pz.
#include "core/phantoms/solid_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double parallel = 1e-24;  // squared sine of an angle that counts as 0
constexpr Crossing nothing{0, 0}, everything{-infinite, infinite};

Crossing common(Crossing a, Crossing b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// Returns the part of a line with |p + t q| < 1.
Crossing cross_slab(double p, double q) {
  if (q == 0) return std::abs(p) < 1 ? everything : nothing;
  const double a = (-1 - p) / q, b = (1 - p) / q;
  return {std::min(a, b), std::max(a, b)};
}

}  // namespace

Crossing cross_ball(Vec3 p, Vec3 q) {
  const double a = dot(q, q);
  const Vec3 c = cross(p, q);
  const double inside = a - dot(c, c);
  if (inside <= 0) return nothing;
  const double middle = -dot(p, q) / a, half = std::sqrt(inside) / a;
  return {middle - half, middle + half};
}

Crossing cross_cylinder(Vec3 p, Vec3 q) {
  const double a = q.x * q.x + q.y * q.y, c = p.x * q.y - p.y * q.x;
  const Crossing ends = cross_slab(p.z, q.z);
  if (a <= parallel * q.z * q.z) return p.x * p.x + p.y * p.y < 1 ? ends : nothing;
  const double inside = a - c * c;
  if (inside <= 0) return nothing;
  const double middle = -(p.x * q.x + p.y * q.y) / a, half = std::sqrt(inside) / a;
  return common(ends, {middle - half, middle + half});
}

Crossing cross_cone(Vec3 p, Vec3 q, double taper) {
  const Crossing ends = cross_slab(p.z, q.z);
  if (ends.low >= ends.high) return nothing;
  const double k = (taper - 1) / 2, r = (taper + 1) / 2 + k * p.z;
  const double across = q.x * q.x + q.y * q.y, a = across - k * k * q.z * q.z;
  const double b = p.x * q.x + p.y * q.y - k * q.z * r, c = p.x * p.x + p.y * p.y - r * r;
  // A line parallel to the mantle has a = 0 and solves 2 b t + c < 0.
  if (std::abs(a) <= 1e-12 * (across + k * k * q.z * q.z)) {
    if (b == 0) return c < 0 ? ends : nothing;
    const double t = -c / (2 * b);
    return common(ends, b > 0 ? Crossing{-infinite, t} : Crossing{t, infinite});
  }
  const double inside = b * b - a * c;
  if (inside <= 0) return a < 0 ? ends : nothing;
  const double root = std::sqrt(inside), t1 = (-b - root) / a, t2 = (-b + root) / a;
  if (a > 0) return common(ends, {t1, t2});
  // The line is steeper than the mantle: it lies inside for t < t2 and for t > t1. One of these
  // parts belongs to the cone, the other to its mirror image beyond the tip, which the slab
  // excludes.
  const Crossing before = common(ends, {-infinite, t2}), after = common(ends, {t1, infinite});
  return before.high - before.low > after.high - after.low ? before : after;
}

Crossing cross_cube(Vec3 p, Vec3 q) {
  return common(common(cross_slab(p.x, q.x), cross_slab(p.y, q.y)), cross_slab(p.z, q.z));
}

}  // namespace gantry
