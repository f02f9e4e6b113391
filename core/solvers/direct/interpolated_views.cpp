#include "core/solvers/direct/interpolated_views.hpp"

#include "core/base/text_stream.hpp"
#include "core/geometry/scan_coverage.hpp"
#include "core/solvers/direct/ray_redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

InterpolatedViews::InterpolatedViews(const ScanGeometry& scan) {
  const ScanCoverage coverage = RayRedundancy(scan).coverage();
  int view = scan.views();
  for (const ScanCoverage::WideGap& gap : coverage.unmeasured_gaps(widest_interpolated_rad)) {
    gaps_rad_.push_back(gap.length_rad);
    const int steps = static_cast<int>(std::lround(gap.length_rad / coverage.usual_step_rad()));
    for (int i = 1; i < steps; ++i, ++view) {
      const double part = static_cast<double>(i) / steps;
      const double after_rad = (part - 1) * gap.length_rad;
      parts_.push_back(
          {gap.before, scan.angle_rad(gap.before) + part * gap.length_rad, 1 - part, view});
      parts_.push_back({gap.after, scan.angle_rad(gap.after) + after_rad, part, view});
    }
  }
}

ScanGeometry InterpolatedViews::completed(const ScanGeometry& scan) const {
  ScanSpec spec = scan.spec();
  for (std::size_t i = 0; i < parts_.size(); i += 2)
    spec.view_angles_rad.push_back(parts_[i].angle_rad);
  return ScanGeometry(std::move(spec));
}

std::string InterpolatedViews::note() const {
  if (gaps_rad_.empty()) return {};
  TextStream text;
  text.precision(3);
  text << (gaps_rad_.size() == 1 ? "a gap" : std::to_string(gaps_rad_.size()) + " gaps, the widest")
       << " of " << degrees(std::ranges::max(gaps_rad_))
       << " degrees between views, which no opposite views make up for, "
       << (gaps_rad_.size() == 1 ? "was" : "were")
       << " filled with interpolated views (interpolate_gaps=false leaves them out)";
  return text.str();
}

}  // namespace gantry
