#pragma once

#include "core/base/vec3.hpp"

namespace gantry {

/// The part low < t < high of a line p + t q; empty if low >= high.
struct Crossing {
  double low, high;
};

/// Return the part of a line inside the unit ball, the cylinder x^2 + y^2 < 1, |z| < 1, the frustum
/// x^2 + y^2 < r(z)^2, |z| < 1, whose radius r goes from 1 at z = -1 to `taper` at z = 1, and the
/// cube |x|, |y|, |z| < 1.
Crossing cross_ball(Vec3 p, Vec3 q);
Crossing cross_cylinder(Vec3 p, Vec3 q);
Crossing cross_cone(Vec3 p, Vec3 q, double taper);
Crossing cross_cube(Vec3 p, Vec3 q);

}  // namespace gantry
