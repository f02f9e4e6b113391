#include "core/projectors/separable_footprint/sf_view.hpp"

#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

SfView::SfView(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : slices_(Layers::of(grid, looks_along_y(geometry.angle_rad(view)))),
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
  edges_ = {edge_of(0), edge_of(geometry.columns())};
}

double SfView::coordinate(Uw p) const {
  const double q = parallel_ ? across_mm(p) : across_mm(p) / depth_mm(p);
  return gain_ * (arc_ ? std::atan(q) : q) + bias_;
}

double SfView::steepness(Uw p) const {
  if (parallel_) return gain_;
  const Uw r = ray(p);
  const double depth = depth_mm(p);
  return gain_ / (arc_ ? r.u * r.u + r.w * r.w : depth * depth);
}

// Across a pixel, the coordinate changes by its gradient times the extent of the pixel in the
// gradient's direction. Along a layer this change varies smoothly: its values at both ends, in the
// middle and opposite to the source bound it to a few per cent, hence the factor 1.03.
int SfView::taps(int k) const {
  const double du = slices_.u_spacing_mm, dw = slices_.w_spacing_mm;
  const double ends[] = {u_mm(-0.5), u_mm(slices_.width - 0.5)};
  double widest = 0;
  for (const double u :
       {ends[0], ends[1], 0.5 * (ends[0] + ends[1]), std::clamp(source_.u, ends[0], ends[1])})
    for (const double side : {-0.5, 0.5}) {
      const Uw p{u, w_mm(k + side)}, r = ray(p);
      widest = std::max(widest, steepness(p) * (std::abs(r.w) * du + std::abs(r.u) * dw));
    }
  return std::max(2, static_cast<int>(1.03 * widest) + 2);
}

// Where no ray is flatter than the diagonal of a pixel, the whole of side i projects below side
// i + 1: the corners of a footprint need not be sorted, and the chord runs from face to face of the
// layer. Ramps get longer towards the ends of such a range, so that the ends alone are checked.
PixelRun SfView::pair(int k) const {
  const double du = slices_.u_spacing_mm, dw = slices_.w_spacing_mm;
  const double slope = std::min(1.0, du / dw) * (1 - 1e-4);
  PixelRun range{0, slices_.width};
  if (parallel_) {
    if (std::abs(forward_.u) > slope * std::abs(forward_.w)) return {0, 0};
  } else {
    const double low = w_mm(k - 0.5) - source_.w, high = w_mm(k + 1.5) - source_.w;
    if (low * high <= 0) return {0, 0};
    const double reach = slope * std::min(std::abs(low), std::abs(high));
    const auto corner = [&](double u) {
      return std::clamp((u - slices_.u_lower_mm) / du, 0.0, static_cast<double>(slices_.width));
    };
    range = {static_cast<int>(std::ceil(corner(source_.u - reach))),
             static_cast<int>(corner(source_.u + reach))};
  }
  for (const int end : {range.first, range.last})
    for (const double side : {-0.5, 0.5, 1.5}) {
      const Uw p{u_mm(end - 0.5), w_mm(k + side)};
      if (steepness(p) * std::abs(ray(p).u) * dw > 0.97) return {0, 0};
    }
  return range;
}

int SfView::turning_pixel() const {
  if (parallel_) return -1;
  const double place = (source_.u - slices_.u_lower_mm) / slices_.u_spacing_mm;
  return static_cast<int>(std::floor(std::clamp(place, -1.0, slices_.width + 0.0)));
}

double SfView::u_of_edge(const Edge& edge, double w) const {
  if (parallel_) return edge.start + w * edge.slope;
  const double steps = w - source_.w;
  return steps * edge.towards > 0 ? source_.u + steps * edge.slope
                                  : std::numeric_limits<double>::quiet_NaN();
}

SfView::Edge SfView::edge_of(double coordinate) const {
  const double q = (coordinate - bias_) / gain_;
  if (parallel_) return {q / across_.u, -across_.w / across_.u, 0};
  if (arc_ && std::abs(q) > 1.5) return {0, 0, 0};
  const double tangent = arc_ ? std::tan(q) : q, du = forward_.u + tangent * across_.u,
               dw = forward_.w + tangent * across_.w;
  return {0, du / dw, dw};
}

PixelRun SfView::seen(int k, int last) const {
  double low = 1e300, high = -1e300;
  for (const Edge& edge : edges_)
    for (const double slice : {k - 0.5, last - 0.5}) {
      const double u = u_of_edge(edge, w_mm(slice));
      if (!std::isfinite(u)) return {0, slices_.width};
      low = std::min(low, u);
      high = std::max(high, u);
    }
  const auto pixel = [&](double u) {
    return static_cast<int>(
        std::clamp((u - slices_.u_lower_mm) / slices_.u_spacing_mm, -2.0, slices_.width + 2.0));
  };
  return {std::max(0, pixel(low) - 1), std::min(slices_.width, pixel(high) + 2)};
}

Trapezoid SfView::footprint(int i, int k) const {
  const double u[] = {u_mm(i - 0.5), u_mm(i + 0.5)}, w[] = {w_mm(k - 0.5), w_mm(k + 0.5)};
  const auto [low_0, high_0] = std::minmax({coordinate({u[0], w[0]}), coordinate({u[0], w[1]})});
  const auto [low_1, high_1] = std::minmax({coordinate({u[1], w[0]}), coordinate({u[1], w[1]})});
  const auto [first, low] = std::minmax({low_0, low_1});
  const auto [high, last] = std::minmax({high_0, high_1});
  const auto [second, third] = std::minmax({low, high});
  const Uw r = ray({u_mm(i), w_mm(k)});
  const double chord_mm =
      std::sqrt(r.u * r.u + r.w * r.w) /
      std::max(std::abs(r.u) / slices_.u_spacing_mm, std::abs(r.w) / slices_.w_spacing_mm);
  return {{first, second, third, last}, chord_mm};
}

SfLine SfView::corners(int plane) const {
  const Uw first{u_mm(-0.5), w_mm(plane - 0.5)};
  return {static_cast<float>(across_mm(first)),
          static_cast<float>(across_.u * slices_.u_spacing_mm),
          static_cast<float>(depth_mm(first)),
          static_cast<float>(parallel_ ? 0.0 : forward_.u * slices_.u_spacing_mm),
          static_cast<float>(gain_),
          static_cast<float>(bias_),
          arc_};
}

SfChords SfView::chords(int k, int first) const {
  const Uw r = ray({u_mm(first), w_mm(k)});
  return {static_cast<float>(r.u), static_cast<float>(parallel_ ? 0.0 : slices_.u_spacing_mm),
          static_cast<float>(r.w), static_cast<float>(1 / slices_.u_spacing_mm),
          static_cast<float>(1 / slices_.w_spacing_mm)};
}

}  // namespace gantry
