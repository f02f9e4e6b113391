#include "gui/render/region_mark.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::string regionLabel(DrawMode role) { return role == DrawMode::roi ? "region" : "background"; }
Rgb regionColour(DrawMode role) { return rgb(role == DrawMode::roi ? 0x5BE07A : 0xFF8F5E); }
Rgb edgeColour() { return rgb(0xD29BFF); }

std::vector<PointMm> outlineOf(const Region& r) {
  if (r.shape == Region::Shape::box)
    return {{r.x_mm - r.half_width_mm, r.y_mm - r.half_height_mm},
            {r.x_mm + r.half_width_mm, r.y_mm - r.half_height_mm},
            {r.x_mm + r.half_width_mm, r.y_mm + r.half_height_mm},
            {r.x_mm - r.half_width_mm, r.y_mm + r.half_height_mm},
            {r.x_mm - r.half_width_mm, r.y_mm - r.half_height_mm}};
  constexpr int corners = 72;
  constexpr double two_pi = 6.283185307179586;
  std::vector<PointMm> points;
  for (int i = 0; i <= corners; ++i)
    points.push_back({r.x_mm + r.half_width_mm * std::cos(two_pi * i / corners),
                      r.y_mm + r.half_width_mm * std::sin(two_pi * i / corners)});
  return points;
}

RegionPart regionPartAt(const Region& r, PointMm at, double reach_mm) {
  const double du = std::abs(at.u - r.x_mm), dv = std::abs(at.v - r.y_mm);
  // Distance outside the rim, mm; negative inside.
  const double outside = r.shape == Region::Shape::circle
                             ? std::hypot(du, dv) - r.half_width_mm
                             : std::max(du - r.half_width_mm, dv - r.half_height_mm);
  if (outside > reach_mm) return RegionPart::none;
  return outside >= -reach_mm ? RegionPart::rim : RegionPart::inside;
}

Region draggedRegion(const Region& before, RegionPart part, PointMm from, PointMm to,
                     double reach_mm) {
  Region r = before;
  const bool circle = before.shape == Region::Shape::circle;
  if (part == RegionPart::inside) {
    r.x_mm += to.u - from.u;
    r.y_mm += to.v - from.v;
  } else if (part == RegionPart::none) {
    r = circle ? Region::circle(from.u, from.v, std::hypot(to.u - from.u, to.v - from.v))
               : Region::box(from.u, from.v, to.u, to.v);
    r.z_low_mm = before.z_low_mm;
    r.z_high_mm = before.z_high_mm;
  } else if (circle) {
    r.half_width_mm = r.half_height_mm = std::hypot(to.u - r.x_mm, to.v - r.y_mm);
  } else {
    // A drag of a side moves that side alone, a drag of a corner both sides.
    if (std::abs(from.u - r.x_mm) >= r.half_width_mm - reach_mm)
      r.half_width_mm = std::abs(to.u - r.x_mm);
    if (std::abs(from.v - r.y_mm) >= r.half_height_mm - reach_mm)
      r.half_height_mm = std::abs(to.v - r.y_mm);
  }
  return r;
}

}  // namespace gantry
