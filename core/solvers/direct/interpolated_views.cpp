#include "core/solvers/direct/interpolated_views.hpp"

#include "core/base/text_stream.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr double least_weight =
    0.05;                            // of the rays in a gap: else nearly all of them were measured
constexpr double fewest_steps = 15;  // in a gap that faces another one

/// Returns the parts of the views in a gap, two after another for each view.
std::vector<InterpolatedViews::Part> parts_of(const ScanGeometry& scan,
                                              const ScanCoverage::WideGap& gap, double step_rad) {
  std::vector<InterpolatedViews::Part> parts;
  const int steps = static_cast<int>(std::lround(gap.length_rad / step_rad));
  const double width = gap.length_rad / steps;
  for (int i = 1; i < steps; ++i) {
    const double part = static_cast<double>(i) / steps;
    parts.push_back({gap.before, scan.angle_rad(gap.before) + i * width, 1 - part, width});
    parts.push_back({gap.after, scan.angle_rad(gap.after) - (steps - i) * width, part, width});
  }
  return parts;
}

/// Returns the mean weight of the rays of interpolated views.
double mean_weight(const std::vector<InterpolatedViews::Part>& parts, const ScanGeometry& scan,
                   const RayRedundancy& redundancy) {
  double sum = 0;
  for (const InterpolatedViews::Part& part : parts)
    for (int column = 0; column < scan.columns(); ++column)
      sum += redundancy.weight(part.angle_rad, redundancy.place(column));
  return sum / (static_cast<double>(parts.size()) * scan.columns());
}

/// Whether rays of a fan in one gap have their opposite rays in the other one.
bool face_each_other(const ScanCoverage::WideGap& one, const ScanCoverage::WideGap& other,
                     double fan_rad) {
  const auto middle = [](const ScanCoverage::WideGap& gap) {
    return gap.begin_rad + 0.5 * gap.length_rad;
  };
  return fan_rad > 0 && std::abs(std::remainder(middle(one) - middle(other) - pi, 2 * pi)) <
                            0.5 * (one.length_rad + other.length_rad) + fan_rad;
}

/// Whether a gap is narrow enough for interpolation, and has enough views for its weights. Where
/// two gaps of a fan face each other, the weights of a view near their ends rise and fall within a
/// few columns, and views far apart would draw this as streaks.
bool can_be_filled(const ScanCoverage::WideGap& gap, const ScanCoverage& coverage, double fan_rad) {
  if (gap.length_rad > widest_interpolated_rad * (1 + 1e-9)) return false;
  return gap.length_rad > (fewest_steps - 1e-6) * coverage.usual_step_rad() ||
         std::ranges::none_of(coverage.wide_gaps(), [&](const ScanCoverage::WideGap& other) {
           return face_each_other(gap, other, fan_rad);
         });
}

}  // namespace

InterpolatedViews::InterpolatedViews(const ScanGeometry& scan) {
  const ScanCoverage coverage = RayRedundancy(scan).coverage();
  const double fan_rad = scan.beam() == Beam::parallel
                             ? 0
                             : scan.fan_angle_rad(scan.columns() - 0.5) - scan.fan_angle_rad(-0.5);
  std::vector<ScanCoverage::WideGap> narrow = coverage.wide_gaps();
  std::erase_if(narrow, [&](const ScanCoverage::WideGap& gap) {
    return !can_be_filled(gap, coverage, fan_rad);
  });
  if (narrow.empty()) return;
  const RayRedundancy redundancy(scan, narrow);
  for (const ScanCoverage::WideGap& gap : narrow) {
    const std::vector<Part> parts = parts_of(scan, gap, redundancy.coverage().usual_step_rad());
    if (parts.empty() || mean_weight(parts, scan, redundancy) < least_weight) continue;
    gaps_.push_back(gap);
    parts_.insert(parts_.end(), parts.begin(), parts.end());
  }
  if (parts_.size() > 2 * static_cast<std::size_t>(scan.views())) *this = {};
}

std::string InterpolatedViews::note() const {
  if (gaps_.empty()) return {};
  const double widest = std::ranges::max(gaps_, {}, &ScanCoverage::WideGap::length_rad).length_rad;
  TextStream text;
  text.precision(3);
  text << (gaps_.size() == 1 ? "a gap" : std::to_string(gaps_.size()) + " gaps, the widest")
       << " of " << degrees(widest) << " degrees between views, some of whose lines no view "
       << "measured, " << (gaps_.size() == 1 ? "was" : "were")
       << " filled with interpolated views (interpolate_gaps=false leaves them out)";
  return text.str();
}

}  // namespace gantry
