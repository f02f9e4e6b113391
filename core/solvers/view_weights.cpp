#include "core/solvers/view_weights.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

double wrapped(double angle, double period) {
  const double rest = std::fmod(angle, period);
  return rest < 0 ? rest + period : rest;
}

/// Angles modulo `period`, ascending, and the usual step between them.
struct Circle {
  double period;
  std::vector<std::size_t> order;  ///< views by angle
  std::vector<double> angle;       ///< in that order
  double step;

  explicit Circle(const ScanGeometry& geometry)
      : period(geometry.beam() == Beam::parallel ? pi : 2 * pi) {
    const auto views = static_cast<std::size_t>(geometry.views());
    std::vector<double> all(views);
    for (std::size_t v = 0; v < views; ++v)
      all[v] = wrapped(geometry.angle_rad(static_cast<int>(v)), period);
    order.resize(views);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t v) { return all[v]; });
    for (const std::size_t v : order) angle.push_back(all[v]);
    std::vector<double> gaps;
    for (std::size_t i = 0; i < views; ++i) gaps.push_back(gap_after(i));
    std::ranges::nth_element(gaps, gaps.begin() + static_cast<std::ptrdiff_t>(views / 2));
    step = gaps[views / 2];
  }

  double gap_after(std::size_t i) const {
    return i + 1 < angle.size() ? angle[i + 1] - angle[i] : angle.front() + period - angle.back();
  }
  /// Whether a view was taken at this angle or within a step of it on both sides.
  bool covers(double at) const {
    const double a = wrapped(at, period);
    const auto after = std::ranges::lower_bound(angle, a);
    const std::size_t previous = after == angle.begin()
                                     ? angle.size() - 1
                                     : static_cast<std::size_t>(after - angle.begin()) - 1;
    return gap_after(previous) <= pause * step;
  }
  static constexpr double pause = 2.5;  // a gap of more steps than this is one
};

}  // namespace

std::vector<double> view_shares_rad(const ScanGeometry& geometry) {
  const Circle circle(geometry);
  const std::size_t views = circle.order.size();
  std::vector<double> shares(views);
  if (views == 1) return {circle.period};
  for (std::size_t i = 0; i < views; ++i) {
    const auto counted = [&](std::size_t place) {
      const double gap = circle.gap_after(place);
      return gap > Circle::pause * circle.step ? circle.step : gap;
    };
    shares[circle.order[i]] = 0.5 * (counted(i) + counted((i + views - 1) % views));
  }
  return shares;
}

std::vector<float> ray_multiplicity(const ScanGeometry& geometry) {
  const auto views = static_cast<std::size_t>(geometry.views()),
             columns = static_cast<std::size_t>(geometry.columns());
  std::vector<float> count(views * columns, 1.0F);
  if (geometry.beam() == Beam::parallel) return count;
  const Circle circle(geometry);
  for (std::size_t v = 0; v < views; ++v)
    for (std::size_t c = 0; c < columns; ++c) {
      // The ray at gantry angle t and fan angle b runs backwards in the view at t + pi - 2 b.
      const double opposite = geometry.angle_rad(static_cast<int>(v)) + pi -
                              2 * geometry.fan_angle_rad(static_cast<double>(c));
      if (circle.covers(opposite)) count[v * columns + c] = 2.0F;
    }
  return count;
}

}  // namespace gantry
