#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cmath>
#include <vector>

namespace gantry::test {

/// A cylinder along z through (x0, y0), without ends, so that no ray leaves it through them.
struct Cylinder {
  double x0, y0, radius, mu;

  double line_integral(const Ray& ray) const {
    const double ox = ray.origin_mm.x - x0, oy = ray.origin_mm.y - y0;
    const double dx = ray.direction.x, dy = ray.direction.y;
    const double a = dx * dx + dy * dy, b = ox * dx + oy * dy,
                 d = b * b - a * (ox * ox + oy * oy - radius * radius);
    return d <= 0 ? 0 : mu * 2 * std::sqrt(d) / a;
  }

  /// Returns the data of a scan, [view][row][column].
  std::vector<float> line_integrals(const ScanGeometry& geometry) const {
    std::vector<float> data;
    for (int v = 0; v < geometry.views(); ++v) {
      const ViewRays rays(geometry, v);
      for (int row = 0; row < geometry.rows(); ++row)
        for (int c = 0; c < geometry.columns(); ++c)
          data.push_back(static_cast<float>(line_integral(rays.ray(c, row))));
    }
    return data;
  }
};

}  // namespace gantry::test
