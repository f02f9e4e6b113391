#include "core/projectors/sf_view.hpp"

#include "core/projectors/dd_view.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Integral up to x of a ramp that rises from 0 to 1 between 0 and `rise`.
double ramp_integral(double x, double rise) {
  const double on_ramp = std::clamp(x, 0.0, rise);
  return (rise > 0 ? 0.5 * on_ramp * on_ramp / rise : 0.0) + std::max(x - rise, 0.0);
}

}  // namespace

double Trapezoid::weight_mm(int cell) const {
  const auto integral = [&](double at) {
    return ramp_integral(at - corner[0], corner[1] - corner[0]) -
           ramp_integral(at - corner[2], corner[3] - corner[2]);
  };
  return chord_mm * (integral(cell + 1) - integral(cell));
}

SfView::SfView(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : slices_(Slices::of(grid, looks_along_y(geometry.angle_rad(view)))),
      parallel_(geometry.beam() == Beam::parallel),
      arc_(!parallel_ && geometry.spec().detector == DetectorShape::arc),
      sid_mm_(geometry.spec().source_to_isocenter_mm),
      gain_(parallel_ ? 1 / geometry.spec().column_pitch_mm
                      : geometry.spec().source_to_detector_mm / geometry.spec().column_pitch_mm),
      bias_(geometry.spec().central_column + 0.5) {
  const double t = geometry.angle_rad(view), c = std::cos(t), s = std::sin(t);
  across_ = slices_.along_y ? Uw{c, s} : Uw{s, c};
  forward_ = slices_.along_y ? Uw{-s, c} : Uw{c, -s};
  source_ = {-sid_mm_ * forward_.u, -sid_mm_ * forward_.w};
}

double SfView::coordinate(Uw p) const {
  const double q = across_mm(p) / depth_mm(p);
  return gain_ * (arc_ ? std::atan(q) : q) + bias_;
}

/// Across a pixel the coordinate changes by its gradient, which stands across the ray, times the
/// pixel's extent in that direction. Along a slice this varies smoothly: both ends, the middle and
/// the place opposite to the source bound it, but for a few per cent.
int SfView::taps(int k) const {
  const double du = slices_.u_spacing_mm, dw = slices_.w_spacing_mm;
  const double ends[] = {u_mm(-0.5), u_mm(slices_.width - 0.5)};
  double widest = 0;
  for (const double u :
       {ends[0], ends[1], 0.5 * (ends[0] + ends[1]), std::clamp(source_.u, ends[0], ends[1])})
    for (const double side : {-0.5, 0.5}) {
      const Uw p{u, w_mm(k + side)};
      const Uw ray = parallel_ ? forward_ : Uw{p.u - source_.u, p.w - source_.w};
      const double length = std::sqrt(ray.u * ray.u + ray.w * ray.w), depth = depth_mm(p);
      const double gradient = parallel_ ? 1 : arc_ ? 1 / length : length / (depth * depth);
      widest = std::max(widest,
                        gain_ * gradient * (std::abs(ray.w) * du + std::abs(ray.u) * dw) / length);
    }
  return std::max(2, static_cast<int>(1.03 * widest) + 2);
}

Trapezoid SfView::footprint(int i, int k) const {
  Trapezoid t{};
  std::size_t n = 0;
  for (const double di : {-0.5, 0.5})
    for (const double dk : {-0.5, 0.5}) t.corner[n++] = coordinate({u_mm(i + di), w_mm(k + dk)});
  std::ranges::sort(t.corner);
  const Uw ray = parallel_ ? forward_ : Uw{u_mm(i) - source_.u, w_mm(k) - source_.w};
  t.chord_mm = std::hypot(ray.u, ray.w) / std::max(std::abs(ray.u) / slices_.u_spacing_mm,
                                                   std::abs(ray.w) / slices_.w_spacing_mm);
  return t;
}

SfLine SfView::corners(int k, int side) const {
  const Uw first{u_mm(-0.5), w_mm(k + (side == 0 ? -0.5 : 0.5))};
  return {static_cast<float>(across_mm(first)),
          static_cast<float>(across_.u * slices_.u_spacing_mm),
          static_cast<float>(depth_mm(first)),
          static_cast<float>(parallel_ ? 0.0 : forward_.u * slices_.u_spacing_mm),
          static_cast<float>(gain_),
          static_cast<float>(bias_),
          arc_};
}

SfChords SfView::chords(int k) const {
  const Uw ray = parallel_ ? forward_ : Uw{u_mm(0) - source_.u, w_mm(k) - source_.w};
  return {static_cast<float>(ray.u), static_cast<float>(parallel_ ? 0.0 : slices_.u_spacing_mm),
          static_cast<float>(ray.w), static_cast<float>(1 / slices_.u_spacing_mm),
          static_cast<float>(1 / slices_.w_spacing_mm)};
}

}  // namespace gantry
