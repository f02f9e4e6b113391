// Each view stands for half the gaps to its neighbours in the order of angles: the trapezoidal rule
// for uneven angles, random ones, views of several turns, and where frames were lost. The rule has
// no answer to a missing wedge, where it would blow up two views. A gap is a hole if it is wider
// than `bridged`, and more than `outlying` times as wide as the median gap and as the widest gap
// that is no hole: the gaps of random angles, of alternating steps and of many lost frames have all
// widths up to their widest. Where a diverging beam measures each line of a full turn from both
// sides, the weights of RayRedundancy give the lines of a hole to the views opposite, exactly. That
// serves also narrower gaps that are more than `outlying` times as wide as the median, as long as
// no other such gap lies within the fan of it or of its opposite.
#include "core/geometry/scan_coverage.hpp"

#include "core/base/median.hpp"
#include "core/geometry/view_angles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gantry {

namespace {

constexpr double outlying = 2.5;
constexpr double bridged = radians(10);
constexpr std::size_t most_wide = 4;  // holes that are no usual gaps; of many views a twentieth
constexpr double same = 0.01;  // views closer than this part of a step come from different turns

/// Returns the median of the gaps, without those between views of different turns at the same
/// angle.
double usual_step(std::vector<double> gaps, double period) {
  const auto others = static_cast<double>(std::max<std::size_t>(gaps.size() - 1, 1));
  const double mean = (period - std::ranges::max(gaps)) / others;  // the widest may be a hole
  std::erase_if(gaps, [mean](double gap) { return gap < same * mean; });
  return upper_median(gaps);
}

/// Returns the width beyond which gaps stand out: they are wider than `least`, and more than
/// `outlying` times as wide as the median gap and as every narrower gap that does not stand out.
double widest_usual(std::vector<double> gaps, double step, double least) {
  std::ranges::sort(gaps);
  const auto usual = std::ranges::adjacent_find(gaps, [=](double narrower, double wider) {
    return wider > least && wider > outlying * std::max(narrower, step);
  });
  return usual == gaps.end() ? gaps.back() : *usual;
}

}  // namespace

double ScanCoverage::Hole::distance(const Hole& other, double turn) const {
  return std::abs(std::remainder(other.middle - middle - turn, 2 * pi)) -
         0.5 * (length + other.length);
}

ScanCoverage::ScanCoverage(const ScanGeometry& geometry)
    : ScanCoverage(geometry, geometry.beam() == Beam::parallel ? pi : 2 * pi) {}

ScanCoverage::ScanCoverage(const ScanGeometry& geometry, double period_rad,
                           std::optional<double> fan_rad)
    : period_(period_rad) {
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
  step_ = usual_step(gap, period_);

  std::vector<std::size_t> ends;  // ranks of the views before a hole
  const auto hole_after = [&](std::size_t i) {
    return Hole{angle[order[i]] + gap[i] / 2, gap[i] - step_};
  };
  const double limit = widest_usual(gap, step_, std::max(bridged, outlying * step_));
  if (static_cast<std::size_t>(std::ranges::count_if(
          gap, [=](double one) { return one > limit; })) <= std::max(most_wide, views / 20))
    for (std::size_t i = 0; i < views; ++i)
      if (gap[i] > limit)
        wide_gaps_.push_back({static_cast<int>(order[i]), static_cast<int>(order[(i + 1) % views]),
                              angle[order[i]], gap[i]});
  std::vector<Hole> wide;  // gaps that may be holes
  for (std::size_t i = 0; i < views; ++i)
    if (gap[i] > std::min(limit, outlying * step_)) wide.push_back(hole_after(i));
  const auto seen_from_opposite = [&](const Hole& hole) {
    return std::ranges::all_of(wide, [&](const Hole& other) {
      return hole.distance(other, pi) >= *fan_rad &&
             (other.middle == hole.middle || hole.distance(other, 0) >= *fan_rad);
    });
  };
  for (std::size_t i = 0; i < views; ++i) {
    const bool hole = gap[i] > limit ||
                      (fan_rad && gap[i] > outlying * step_ && seen_from_opposite(hole_after(i)));
    if (hole) {
      ends.push_back(i);
      holes_.push_back(hole_after(i));
      gap[i] = step_;
    } else {
      widest_gap_ = std::max(widest_gap_, gap[i]);
    }
  }

  shares_rad_.resize(views);
  for (std::size_t i = 0; i < views; ++i)
    shares_rad_[order[i]] = 0.5 * (gap[i] + gap[(i + views - 1) % views]);
  for (std::size_t e = 0; e < ends.size(); ++e) {
    const double first = angle[order[(ends[e] + 1) % views]],
                 last = angle[order[ends[(e + 1) % ends.size()]]];
    arcs_.push_back({wrapped(first - step_ / 2, period_), wrapped(last - first, period_) + step_});
  }
  std::ranges::sort(arcs_, {}, &Arc::begin);
}

std::vector<double> ScanCoverage::holes_rad() const {
  std::vector<double> lengths;
  for (const Hole& hole : holes_) lengths.push_back(hole.length);
  return lengths;
}

bool ScanCoverage::measures_every_line(double fan_rad) const {
  return std::ranges::all_of(holes_, [&](const Hole& hole) {
    return std::ranges::all_of(
        holes_, [&](const Hole& other) { return hole.distance(other, pi) >= fan_rad - 1e-9; });
  });
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
