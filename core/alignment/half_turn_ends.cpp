#include "core/alignment/half_turn_ends.hpp"

#include "core/alignment/arc_end.hpp"
#include "core/alignment/mirrored_views.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/moving_mean.hpp"
#include "core/base/parabola.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr double fitted_deg = 2.5;       // of the scan at each end
constexpr std::size_t fewest_views = 3;  // there
constexpr double widest_gap = 2.5;       // in usual steps, between both ends
constexpr double most_mismatch = 0.5, most_of_usual = 0.5, most_spread = 1;
constexpr double most_by_fit = 2;  // columns, by one view more at each end or twice the smoothing
/// Standard deviation of smoothing, of the way that the outermost part of an object as wide as
/// twice the detector moves over the detector within the fitted views. No polynomial follows a part
/// that moves by more than it is wide.
constexpr double of_motion = 0.2;

/// The same place between both ends of an arc, [band][column]: from the first views, and as the
/// mirror image of that, from the last ones.
struct Sides {
  std::vector<double> first, last;
};

/// The views at both ends of an arc.
class Ends {
 public:
  Ends(const ScanGeometry& geometry, std::span<const float> line_integrals)
      : geometry_(geometry), line_integrals_(line_integrals), circle_(geometry.spec()) {}

  double gap_rad() const { return pi - circle_.arc_rad(); }
  double usual_step() const { return circle_.usual_step(); }
  /// Returns the number of views at each end that are fitted.
  std::size_t count() const {
    const auto wanted = static_cast<std::size_t>(std::lround(fitted_deg * pi / 180 / usual_step()));
    return std::clamp(wanted, fewest_views, circle_.count() / 4);
  }
  /// Returns the standard deviation, columns, by which the views are to be smoothed.
  double smoothing() const {
    return of_motion * geometry_.columns() * static_cast<double>(count()) * usual_step();
  }

  /// Returns the sums of so many views at each end whose difference is the jump in the middle of
  /// the gap.
  Sides in_the_gap(std::size_t count) const {
    std::vector<ViewAtEnd> ends;
    std::vector<int> views;
    for (const bool is_last : {false, true})
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t of_arc = is_last ? circle_.count() - 1 - i : i,
                          place = (circle_.first() + of_arc) % circle_.count();
        const double beyond = circle_.beyond_first(place);
        ends.push_back(
            {(is_last ? circle_.arc_rad() - beyond : beyond) / usual_step(), is_last, {}});
        views.push_back(circle_.view(place));
      }
    const Jump jump = jump_at(ends, gap_rad() / usual_step());
    Sides sides;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::vector<double> bands =
          bands_of_view(geometry_.rows(), geometry_.columns(), line_integrals_, views[i]);
      std::vector<double>& sums = ends[i].is_last ? sides.last : sides.first;
      sums.resize(bands.size());
      for (std::size_t at = 0; at < bands.size(); ++at) sums[at] += jump.weights[i] * bands[at];
    }
    return sides;
  }

 private:
  const ScanGeometry& geometry_;
  std::span<const float> line_integrals_;
  ViewCircle circle_;
};

/// Returns every second column of both sides, beginning with one, an even number of columns.
Sides every_second(const Sides& sides, std::size_t columns, std::size_t first) {
  Sides some;
  for (const auto& [from, to] : {std::pair(&sides.first, &some.first), {&sides.last, &some.last}})
    for (std::size_t line = 0; line < from->size(); line += columns)
      for (std::size_t column = first; column < columns / 2 * 2; column += 2)
        to->push_back((*from)[line + column]);
  return some;
}

/// Returns where both sides are mirror images, to some columns: each is smoothed up to its ends.
MirrorMatch match_near(Sides sides, int columns, double deviation) {
  const auto width = static_cast<std::size_t>(columns);
  for (std::vector<double>* lines : {&sides.first, &sides.last})
    for (std::size_t line = 0; line < lines->size(); line += width) {
      const auto values = std::span(*lines).subspan(line, width);
      std::ranges::copy(smoothed_widely(values, deviation), values.begin());
    }
  return mirror_match(sides.first, sides.last, columns);
}

/// Returns the mean squared difference of one side and the other one, mirrored so that column c
/// meets column `sum` - c. The difference is smoothed where both overlap. It vanishes there up to
/// the ends of the detector, where smoothed sides differ if the object goes on beyond.
double smoothed_difference(const Sides& sides, int columns, int sum, double deviation) {
  const int first = std::max(0, sum - (columns - 1)), last = std::min(columns - 1, sum);
  std::vector<double> difference(static_cast<std::size_t>(last - first + 1));
  double square = 0;
  for (std::size_t line = 0; line < sides.first.size(); line += static_cast<std::size_t>(columns)) {
    const double *p = sides.first.data() + line, *q = sides.last.data() + line;
    for (int c = first; c <= last; ++c)
      difference[static_cast<std::size_t>(c - first)] = p[c] - q[sum - c];
    for (const double value : smoothed_widely(difference, deviation)) square += value * value;
  }
  return square / static_cast<double>(difference.size());
}

/// Returns the axis of the local minimum of the smoothed difference, downhill from a column on.
double axis_near(const Sides& sides, int columns, double deviation, double from) {
  const auto at = [&](int sum) { return smoothed_difference(sides, columns, sum, deviation); };
  const int reach = static_cast<int>(std::ceil(8 * deviation)),
            start = static_cast<int>(std::lround(2 * from)), least = std::max(1, start - reach),
            most = std::min(2 * columns - 3, start + reach);
  int sum = std::clamp(start, least, most);
  double before = at(sum - 1), here = at(sum), after = at(sum + 1);
  while (before < here && sum > least) {
    after = std::exchange(here, before);
    before = at(--sum - 1);
  }
  while (after < here && sum < most) {
    before = std::exchange(here, after);
    after = at(++sum + 1);
  }
  return 0.5 * (sum + minimum_of_parabola(before, here, after).offset);
}

double axis_of(const Sides& sides, int columns, double deviation) {
  return axis_near(sides, columns, deviation, match_near(sides, columns, deviation).column);
}

/// Returns half of the difference between the axes of the even and of the odd columns.
double spread_of_columns(const Sides& sides, int columns, double deviation) {
  const auto of_part = [&](std::size_t first) {
    const Sides part = every_second(sides, static_cast<std::size_t>(columns), first);
    return 2 * axis_of(part, columns / 2, 0.5 * deviation) + static_cast<double>(first);
  };
  return 0.5 * std::abs(of_part(0) - of_part(1));
}

}  // namespace

std::optional<CentreEstimate> centre_from_half_turn_ends(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals,
                                                         Compared compared) {
  if (!may_tell_mirror_axis(geometry, line_integrals)) return std::nullopt;
  const Ends ends(geometry, line_integrals);
  if (!(ends.usual_step() > 0 && ends.gap_rad() > 0 &&
        ends.gap_rad() <= widest_gap * ends.usual_step()))
    return std::nullopt;
  const auto sides_of = [&](std::size_t count) {
    Sides sides = ends.in_the_gap(count);
    if (compared == Compared::changes) take_difference(sides.first, sides.last);
    return sides;
  };
  const Sides sides = sides_of(ends.count());
  const int columns = geometry.columns();
  const double deviation = ends.smoothing();
  const MirrorMatch near = match_near(sides, columns, deviation);
  if (!(near.mismatch <= most_mismatch && near.mismatch <= most_of_usual * near.usual_mismatch))
    return std::nullopt;
  const double of_columns = spread_of_columns(sides, columns, deviation);
  if (!(of_columns <= 0.5 * most_spread)) return std::nullopt;
  const double axis = axis_near(sides, columns, deviation, near.column),
               of_views = axis_of(sides_of(ends.count() + 1), columns, deviation) - axis,
               of_smooth = axis_near(sides, columns, 2 * deviation, axis) - axis;
  if (!(std::max(std::abs(of_views), std::abs(of_smooth)) <= most_by_fit)) return std::nullopt;
  const std::string count =
      (compared == Compared::changes ? "what changes between " : "") + std::to_string(ends.count());
  return CentreEstimate{.column = axis,
                        .pairs = static_cast<int>(ends.count()),
                        .spread = std::max(of_columns, std::abs(of_views)),
                        .mismatch = near.mismatch,
                        .basis = count + " views at each end of half a turn"};
}

}  // namespace gantry
