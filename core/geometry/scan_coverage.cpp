#include "core/geometry/scan_coverage.hpp"

#include "core/base/median.hpp"
#include "core/geometry/view_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gantry {

namespace {

constexpr double pause = 2.5;  // a gap of more than this many usual steps is a pause
constexpr double same = 0.01;  // views closer than this part of a step come from different turns

/// Returns the median of the gaps, without those between views of different turns at the same
/// angle.
double usual_step(std::vector<double> gaps, double period) {
  const auto others = static_cast<double>(std::max<std::size_t>(gaps.size() - 1, 1));
  const double mean = (period - std::ranges::max(gaps)) / others;  // the widest may be a pause
  std::erase_if(gaps, [mean](double gap) { return gap < same * mean; });
  return upper_median(gaps);
}

}  // namespace

ScanCoverage::ScanCoverage(const ScanGeometry& geometry)
    : ScanCoverage(geometry, geometry.beam() == Beam::parallel ? pi : 2 * pi) {}

ScanCoverage::ScanCoverage(const ScanGeometry& geometry, double period_rad) : period_(period_rad) {
  const auto views = static_cast<std::size_t>(geometry.views());
  std::vector<double> angle(views);
  for (std::size_t v = 0; v < views; ++v)
    angle[v] = wrapped(geometry.angle_rad(static_cast<int>(v)), period_);
  std::vector<std::size_t> order(views);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t v) { return angle[v]; });

  std::vector<double> gap(views);  // between the view of this rank and the next
  for (std::size_t i = 0; i + 1 < views; ++i) gap[i] = angle[order[i + 1]] - angle[order[i]];
  gap.back() = angle[order.front()] + period_ - angle[order.back()];
  const double step = usual_step(gap, period_);

  shares_rad_.resize(views);
  const auto counted = [&](std::size_t i) { return gap[i] > pause * step ? step : gap[i]; };
  for (std::size_t i = 0; i < views; ++i)
    shares_rad_[order[i]] = 0.5 * (counted(i) + counted((i + views - 1) % views));

  std::vector<std::size_t> ends;  // ranks of the views before a pause
  for (std::size_t i = 0; i < views; ++i)
    if (gap[i] > pause * step) ends.push_back(i);
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const double first = angle[order[(ends[e] + 1) % views]],
                 last = angle[order[ends[(e + 1) % ends.size()]]];
    arcs_.push_back({wrapped(first - step / 2, period_), wrapped(last - first, period_) + step});
  }
  std::ranges::sort(arcs_, {}, &Arc::begin);
}

double ScanCoverage::covered_rad() const {
  if (complete()) return period_;
  return std::accumulate(arcs_.begin(), arcs_.end(), 0.0,
                         [](double sum, const Arc& arc) { return sum + arc.length; });
}

double ScanCoverage::depth_rad(double angle_rad) const {
  if (complete()) return std::numeric_limits<double>::infinity();
  const double at = wrapped(angle_rad, period_);
  const auto inside = [](const Arc& arc, double place) {
    return std::max(0.0, std::min(place - arc.begin, arc.begin + arc.length - place));
  };
  const auto after = std::ranges::upper_bound(arcs_, at, {}, &Arc::begin);
  const double depth = after == arcs_.begin() ? 0 : inside(*std::prev(after), at);
  return std::max(depth, inside(arcs_.back(), at + period_));  // an arc may extend past the period
}

bool covers_full_turn(const ScanGeometry& geometry) {
  return geometry.views() >= 3 && ScanCoverage(geometry, 2 * pi).complete();
}

}  // namespace gantry
