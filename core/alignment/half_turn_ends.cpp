#include "core/alignment/half_turn_ends.hpp"

#include "core/alignment/mirrored_views.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/binomial_filter.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr double continued_deg = 2.5;    // of the scan at each end
constexpr std::size_t fewest_views = 3;  // there
constexpr double widest_gap = 2.5;       // in usual steps, between both ends
constexpr double most_mismatch = 0.5, most_of_usual = 0.5, most_spread = 1;
constexpr int smoothing = 4;  // passes of a binomial filter

/// The views of an arc, and their extrapolation beyond both ends.
class Ends {
 public:
  Ends(const ScanGeometry& geometry, std::span<const float> line_integrals)
      : geometry_(geometry), line_integrals_(line_integrals), circle_(geometry.spec()) {}

  double gap_rad() const { return pi - circle_.arc_rad(); }
  double usual_step() const { return circle_.usual_step(); }
  /// Returns the number of views at each end from which is extrapolated.
  std::size_t count() const {
    const auto wanted =
        static_cast<std::size_t>(std::lround(continued_deg * pi / 180 / usual_step()));
    return std::clamp(wanted, fewest_views, circle_.count() / 4);
  }

  /// Returns the view half of the gap before the first one, or after the last one, by straight
  /// lines of least squares: [band][column].
  std::vector<double> continued(bool from_last) const {
    const std::size_t n = circle_.count(), count = this->count();
    std::vector<double> angles;  // inwards, from the middle of the gap
    std::vector<int> views;
    double mean = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = (circle_.first() + (from_last ? n - 1 - i : i)) % n;
      const double beyond = circle_.beyond_first(place);
      angles.push_back(0.5 * gap_rad() + (from_last ? circle_.arc_rad() - beyond : beyond));
      views.push_back(circle_.view(place));
      mean += angles.back() / static_cast<double>(count);
    }
    double square = 0;
    for (const double angle : angles) square += (angle - mean) * (angle - mean);
    std::vector<double> sums;
    for (std::size_t i = 0; i < count; ++i) {
      const double weight = 1 / static_cast<double>(count) - (angles[i] - mean) * mean / square;
      const std::vector<double> bands =
          bands_of_view(geometry_.rows(), geometry_.columns(), line_integrals_, views[i]);
      sums.resize(bands.size());
      for (std::size_t at = 0; at < bands.size(); ++at) sums[at] += weight * bands[at];
    }
    return sums;
  }

 private:
  const ScanGeometry& geometry_;
  std::span<const float> line_integrals_;
  ViewCircle circle_;
};

/// Returns every second column of lines, beginning with one, an even number of columns:
/// [band][column].
std::vector<double> every_second(const std::vector<double>& lines, std::size_t columns,
                                 std::size_t first) {
  std::vector<double> some;
  for (std::size_t line = 0; line < lines.size(); line += columns)
    for (std::size_t column = first; column < columns / 2 * 2; column += 2)
      some.push_back(lines[line + column]);
  return some;
}

/// Returns where both sides are mirror images, after smoothing.
MirrorMatch match(std::vector<double> one, std::vector<double> other, int columns) {
  for (std::vector<double>* lines : {&one, &other})
    for (std::size_t line = 0; line < lines->size(); line += static_cast<std::size_t>(columns))
      binomial_filter(std::span(*lines).subspan(line, static_cast<std::size_t>(columns)),
                      smoothing);
  return mirror_match(one, other, columns);
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
  std::vector<double> before = ends.continued(false), after = ends.continued(true);
  if (compared == Compared::changes) take_difference(before, after);
  const MirrorMatch found = match(before, after, geometry.columns());
  if (!(found.mismatch <= most_mismatch && found.mismatch <= most_of_usual * found.usual_mismatch))
    return std::nullopt;
  const auto of_part = [&](std::size_t first) {
    const auto columns = static_cast<std::size_t>(geometry.columns());
    const MirrorMatch part = match(every_second(before, columns, first),
                                   every_second(after, columns, first), geometry.columns() / 2);
    return 2 * part.column + static_cast<double>(first);
  };
  const double spread = 0.5 * std::abs(of_part(0) - of_part(1));
  if (!(spread <= 0.5 * most_spread)) return std::nullopt;
  const std::string count =
      (compared == Compared::changes ? "what changes between " : "") + std::to_string(ends.count());
  return CentreEstimate{.column = found.column,
                        .pairs = static_cast<int>(ends.count()),
                        .spread = spread,
                        .mismatch = found.mismatch,
                        .basis = count + " views at each end of half a turn"};
}

}  // namespace gantry
