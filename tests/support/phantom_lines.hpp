#pragma once

#include "core/phantoms/phantom.hpp"

#include <cmath>

namespace gantry::test {

/// Returns the integral of mu_at along |t| < reach_mm around the point of a ray that is nearest to
/// the origin. Samples every step_mm and finds the position of each change by bisection. For
/// piecewise constant phantoms; parts thinner than the step may be missed.
inline double integral_by_bisection(const Phantom& phantom, const Ray& ray, double reach_mm,
                                    double step_mm) {
  const double nearest = -dot(ray.origin_mm, ray.direction);
  const auto mu = [&](double t) {
    return phantom.mu_at(ray.origin_mm + (nearest + t) * ray.direction);
  };
  double total = 0, from = -reach_mm, before = mu(from);
  const auto steps = static_cast<int>(std::ceil(2 * reach_mm / step_mm));
  for (int i = 1; i <= steps; ++i) {
    const double to = -reach_mm + i * step_mm;
    double low = from, here = before;
    const double after = mu(to);
    while (here != after) {  // finds the first change, then the next one
      double inside = low, outside = to;
      while (outside - inside > 1e-10) {
        const double middle = (inside + outside) / 2;
        (mu(middle) == here ? inside : outside) = middle;
      }
      total += here * (outside - low);
      low = outside;
      here = mu(outside);
      if (to - low < 1e-9) here = after;
    }
    total += here * (to - low);
    from = to;
    before = after;
  }
  return total;
}

}  // namespace gantry::test
