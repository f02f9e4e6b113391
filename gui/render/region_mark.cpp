#include "gui/render/region_mark.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gantry {

namespace {

/// Returns how far a point lies from the centre, in units of the rim: 1 on the rim of an ellipse.
double relative_radius(const Region& r, double du, double dv) {
  return std::hypot(du / r.half_width_mm, dv / r.half_height_mm);
}

}  // namespace

Rgb regionColour(std::size_t index) {
  constexpr std::array colours = {rgb(0x5BE07A), rgb(0xFF4FC3), rgb(0x00E5FF), rgb(0x9DFF3D),
                                  rgb(0xB39DFF), rgb(0xFFB38A), rgb(0xFFFFFF)};
  return colours[index % colours.size()];
}
Rgb edgeColour() { return rgb(0xD29BFF); }
Rgb rulerColour() { return rgb(0x7FFFD4); }

double distance_mm(PointMm a, PointMm b) { return std::hypot(b.u - a.u, b.v - a.v); }

double angle_degrees(PointMm a, PointMm vertex, PointMm b) {
  const double au = a.u - vertex.u, av = a.v - vertex.v, bu = b.u - vertex.u, bv = b.v - vertex.v;
  constexpr double degrees_per_rad = 57.29577951308232;
  return std::abs(std::atan2(au * bv - av * bu, au * bu + av * bv)) * degrees_per_rad;
}

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
                      r.y_mm + r.half_height_mm * std::sin(two_pi * i / corners)});
  return points;
}

RegionPart regionPartAt(const Region& r, PointMm at, double reach_mm) {
  const double du = std::abs(at.u - r.x_mm), dv = std::abs(at.v - r.y_mm);
  // Distance outside the rim, mm, for an ellipse along the ray from its centre; negative inside.
  double outside = std::max(du - r.half_width_mm, dv - r.half_height_mm);
  if (r.shape == Region::Shape::circle) {
    const double radius = relative_radius(r, du, dv);
    outside = radius > 0 ? std::hypot(du, dv) * (1 - 1 / radius)
                         : -std::min(r.half_width_mm, r.half_height_mm);
  }
  if (outside > reach_mm) return RegionPart::none;
  return outside >= -reach_mm ? RegionPart::rim : RegionPart::inside;
}

Region newRegion(NewRegion shape, PointMm from, PointMm to) {
  if (shape == NewRegion::circle)
    return Region::circle(from.u, from.v, std::hypot(to.u - from.u, to.v - from.v));
  Region r = Region::box(from.u, from.v, to.u, to.v);
  if (shape == NewRegion::ellipse) r.shape = Region::Shape::circle;
  return r;
}

Region draggedRegion(const Region& before, RegionPart part, PointMm from, PointMm to,
                     double reach_mm) {
  Region r = before;
  if (part == RegionPart::inside) {
    r.x_mm += to.u - from.u;
    r.y_mm += to.v - from.v;
    return r;
  }
  const bool round = before.shape == Region::Shape::circle;
  if (round && before.half_width_mm == before.half_height_mm) {
    r.half_width_mm = r.half_height_mm = std::hypot(to.u - r.x_mm, to.v - r.y_mm);
    return r;
  }
  // A drag of a side moves that side alone, a drag of a corner, or of an ellipse between its axes,
  // both sides.
  const bool by_width = std::abs(from.u - r.x_mm) >= r.half_width_mm - reach_mm,
             by_height = std::abs(from.v - r.y_mm) >= r.half_height_mm - reach_mm;
  if (round && !by_width && !by_height) {
    const double factor = relative_radius(r, to.u - r.x_mm, to.v - r.y_mm) /
                          relative_radius(r, from.u - r.x_mm, from.v - r.y_mm);
    r.half_width_mm *= factor;
    r.half_height_mm *= factor;
    return r;
  }
  if (by_width) r.half_width_mm = std::abs(to.u - r.x_mm);
  if (by_height) r.half_height_mm = std::abs(to.v - r.y_mm);
  return r;
}

}  // namespace gantry
