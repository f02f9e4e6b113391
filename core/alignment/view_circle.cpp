#include "core/alignment/view_circle.hpp"

#include "core/base/median.hpp"
#include "core/geometry/view_angles.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

namespace {

constexpr double turn = 2 * pi;
constexpr double widest_gap = 2.5;  // in usual steps
constexpr double same = 1e-6;       // of a step

}  // namespace

ViewCircle::ViewCircle(const ScanSpec& scan) : order_(scan.view_angles_rad.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  const auto angle = [&](int view) {
    return wrapped(scan.view_angles_rad[static_cast<std::size_t>(view)], turn);
  };
  std::ranges::sort(order_, {}, angle);
  for (const int view : order_) angles_.push_back(angle(view));
  std::vector<double> steps;
  for (std::size_t i = 1; i < angles_.size(); ++i) steps.push_back(angles_[i] - angles_[i - 1]);
  double widest = 0;
  for (std::size_t i = 0; i < count(); ++i) {
    const double gap = wrapped(angles_[i] - angles_[(i + count() - 1) % count()], turn);
    if (gap > widest) first_ = i;
    widest = std::max(widest, gap);
  }
  if (!steps.empty()) usual_step_ = upper_median(steps);
}

double ViewCircle::beyond_first(std::size_t place) const {
  return wrapped(angles_[place] - angles_[first_], turn);
}

std::optional<ViewCircle::Between> ViewCircle::around(double angle, double beyond) const {
  angle = wrapped(angle, turn);
  const std::size_t n = angles_.size(),
                    up = static_cast<std::size_t>(std::ranges::upper_bound(angles_, angle) -
                                                  angles_.begin()),
                    after = up % n, before = (up + n - 1) % n;
  const auto way = [&](double from, double to) { return wrapped(to - from, turn); };
  const double past = way(angles_[before], angle), left = way(angle, angles_[after]),
               gap = past + left;
  if (gap > 0 && gap <= widest_gap * usual_step_)
    return Between{before, after, static_cast<float>(past / gap)};
  const auto close = [&](double distance) { return distance <= same * usual_step_; };
  if (close(past)) return Between{before, before, 0};
  if (close(left)) return Between{after, after, 0};
  const auto continued = [&](std::size_t from, std::size_t to, double further) {
    const double step = std::min(way(angles_[from], angles_[to]), way(angles_[to], angles_[from]));
    return Between{from, to, static_cast<float>(1 + further / step)};
  };
  const std::size_t second = (before + n - 1) % n, next = (after + 1) % n;
  const double most = beyond * usual_step_ * (1 + same);
  if (past <= most && n > 2 && second != before) return continued(second, before, past);
  if (left <= most && n > 2 && next != after) return continued(next, after, left);
  return std::nullopt;
}

}  // namespace gantry
