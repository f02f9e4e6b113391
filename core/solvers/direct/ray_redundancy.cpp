// Two rays lie on the same line: (t, b) and (t + pi - 2 b, -b), with t the gantry angle and b the
// fan angle.
// With d1, d2 the depths of the two inside the measured range, in radians,
//   w1 = (1 + s(d1 / B) - s(d2 / B)) / 2,  s(x) = sin^2(pi x / 2) up to x = 1, then 1,
//   B = min(d1 + d2, taper),
// With these, w1 + w2 = 1 for all d1 and d2. If a scan covers exactly pi + 2 G, with G half the fan
// angle, a ray of the first views has d1 = t, d2 = 2 (G + b) - t, and w1 = sin^2(pi t / (4 (G +
// b))): Parker, Med. Phys. 9 (1982) 254, eq. 12. Longer scans use the same formula over their wider
// range (Silver, Med. Phys. 27 (2000) 773) until d1 + d2 exceeds `taper`; then the weights are one
// half in between, as in Wesarg, Ebert and Bortfeld, Med. Phys. 29 (2002) 372, eq. 12 with q = B /
// (d1 + d2). For a detector that extends further to one side, the two half fans are joined in the
// same way across the part that both measure: w1 = (1 + sin(pi b / (2 G))) / 2, Wang, Med. Phys. 29
// (2002) 1634.
#include "core/solvers/direct/ray_redundancy.hpp"

#include "core/base/text_stream.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gantry {

namespace {

// Within these the weight of interpolated rays falls to 0.
constexpr double views_of_taper = 2, columns_of_taper = 3;

/// Returns sin^2(pi x / 2), 1 from x = 1 on.
double rise_of(double x) {
  const double s = std::sin(pi / 2 * std::min(x, 1.0));
  return s * s;
}

/// Returns the weight of a ray that is `turn` by the arcs and `side` by the detector. If one of
/// them is one half, the result is the other. The results of a ray and its opposite add up to 1.
double shared_weight(double turn, double side) {
  return turn * side / (turn * side + (1 - turn) * (1 - side));
}

double place_of(const ScanGeometry& geometry, double column) {
  const ScanSpec& spec = geometry.spec();
  return spec.beam == Beam::parallel ? (column - spec.central_column) * spec.column_pitch_mm
                                     : geometry.fan_angle_rad(column);
}

/// Returns the angle of the fan if its lines, but for a few near the wider end, are measured from
/// both sides of a full turn.
std::optional<double> fan_of_both_sides(const ScanGeometry& geometry) {
  if (geometry.beam() == Beam::parallel) return std::nullopt;
  const auto [narrow, wide] =
      std::minmax({-place_of(geometry, -0.5), place_of(geometry, geometry.columns() - 0.5)});
  return narrow < 0.9 * wide ? std::nullopt : std::optional(2 * wide);
}

bool sides_differ(const ScanGeometry& geometry) {
  if (geometry.beam() != Beam::parallel) return true;
  const double middle = 0.5 * (geometry.columns() - 1);
  return std::abs(geometry.spec().central_column - middle) > 1e-6 && geometry.views() >= 3 &&
         ScanCoverage(geometry, 2 * pi).covered_rad() > pi * (1 + 1e-9);
}

}  // namespace

double parker_weight(double depth, double opposite, double taper) {
  if (!(opposite > 0)) return 1;
  if (!(depth > 0)) return 0;
  const double width = std::min(depth + opposite, taper);
  if (!(width > 0)) return 0.5;
  return 0.5 * (1 + rise_of(depth / width) - rise_of(opposite / width));
}

RayRedundancy::RayRedundancy(const ScanGeometry& geometry)
    : geometry_(geometry),
      tells_sides_(sides_differ(geometry)),
      coverage_(geometry, tells_sides_ ? 2 * pi : pi, fan_of_both_sides(geometry)) {
  const double low = -place_of(geometry, -0.5), high = place_of(geometry, geometry.columns() - 0.5);
  short_side_ = std::min(low, high);
  wide_side_ = std::max(low, high);
  long_side_sign_ = high > low ? 1 : -1;
}

double RayRedundancy::place(int column) const { return place_of(geometry_, column); }

RayRedundancy::RayRedundancy(const ScanGeometry& geometry,
                             std::vector<ScanCoverage::WideGap> filled)
    : RayRedundancy(geometry) {
  filled_ = std::move(filled);
}

double RayRedundancy::weight(double angle_rad, double place) const {
  if (!tells_sides_) return 1;
  const double side = side_weight(place);
  if (side >= 1 || coverage_.complete()) return side;
  const bool parallel = geometry_.beam() == Beam::parallel;
  const double fan_angle_rad = parallel ? 0 : place, taper = parallel ? pi : 4 * wide_side_,
               opposite_rad = angle_rad + pi - 2 * fan_angle_rad;
  if (filled_depth_rad(angle_rad) > 0) return interpolated_weight(angle_rad, opposite_rad, place);
  if (filled_depth_rad(opposite_rad) > 0)
    return 1 - interpolated_weight(opposite_rad, angle_rad, -place);
  return shared_weight(
      parker_weight(coverage_.depth_rad(angle_rad), coverage_.depth_rad(opposite_rad), taper),
      side);
}

double RayRedundancy::filled_depth_rad(double angle_rad) const {
  double depth = 0;
  for (const ScanCoverage::WideGap& gap : filled_) {
    const double half = 0.5 * (gap.length_rad - coverage_.usual_step_rad()),
                 middle = gap.begin_rad + 0.5 * gap.length_rad;
    depth = std::max(depth, half - std::abs(std::remainder(angle_rad - middle, 2 * pi)));
  }
  return depth;
}

/// Returns the weight of an interpolated ray. Where the opposite was measured, the weight falls to
/// 0 within a few views from the end of its arc and a few columns from the end of its detector.
double RayRedundancy::interpolated_weight(double angle_rad, double opposite_rad,
                                          double place) const {
  const double measured = coverage_.depth_rad(opposite_rad),
               filled = filled_depth_rad(opposite_rad);
  if (measured > 0) {
    const double column = (short_side_ + wide_side_) / geometry_.columns(),
                 inside = std::max(0.0, short_side_ - long_side_sign_ * place);
    return 1 - rise_of(measured / (views_of_taper * coverage_.usual_step_rad())) *
                   rise_of(inside / (columns_of_taper * column));
  }
  if (!(filled > 0)) return 1;
  const double taper = 0.5 * (filled_depth_rad(angle_rad) + filled);
  return shared_weight(parker_weight(filled_depth_rad(angle_rad), filled, taper),
                       side_weight(place));
}

/// Returns the weight of a ray against its opposite on the other side of the detector.
double RayRedundancy::side_weight(double place) const {
  const double along = long_side_sign_ * place, wider = wide_side_ - short_side_;
  // The range in which weights differ from one half is eight times what one side alone sees.
  return parker_weight(along + short_side_, short_side_ - along,
                       std::min(2 * short_side_, 8 * wider));
}

std::string coverage_note(const ScanGeometry& geometry) {
  if (!geometry.rotates()) return {};  // free poses have no arc
  const ScanCoverage coverage(geometry);
  if (coverage.complete()) return {};
  const bool parallel = geometry.beam() == Beam::parallel;
  const double half_fan =
      std::min(-geometry.fan_angle_rad(-0.5), geometry.fan_angle_rad(geometry.columns() - 0.5));
  const double fan = parallel ? 0 : 2 * std::max(half_fan, 0.0), needed = pi + fan;
  if (!parallel && coverage.measures_every_line(fan)) return {};
  const std::vector<double> holes = coverage.holes_rad();
  TextStream text;
  text.precision(4);
  text << "the views cover " << degrees(coverage.covered_rad()) << " degrees";
  if (holes.size() > 1)
    text << " in " << holes.size() << " arcs, with holes of up to "
         << degrees(std::ranges::max(holes)) << " degrees that no opposite views make up for";
  else
    text << ", a complete image takes " << degrees(needed)
         << (parallel ? "" : " (half a turn and the fan)");
  text << ": expect streaks and shading along the missing directions";
  return text.str();
}

std::string uneven_views_note(const ScanCoverage& coverage) {
  constexpr double usual = 5;  // random angles of a few hundred views reach it
  const double steps = coverage.widest_gap_rad() / coverage.usual_step_rad();
  if (!(steps > usual * (1 + 1e-6))) return {};
  TextStream text;
  text.precision(3);
  text << "up to " << degrees(coverage.widest_gap_rad()) << " degrees lie between two views, "
       << steps << " times the usual step: each view counts by the gaps beside it, expect streaks "
       << "along the widest";
  return text.str();
}

}  // namespace gantry
