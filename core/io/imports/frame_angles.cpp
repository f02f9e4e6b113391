#include "core/io/imports/frame_angles.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/imports/names/file_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>

namespace gantry {

namespace {

/// Returns the values without the repetitions of the first and of the last one, which are equal to
/// a hundredth of the mean distance of successive values. The innermost of them is kept. Nothing is
/// returned where values between these are repeated too, as of several frames at each angle.
std::vector<double> without_repeated_ends(const std::vector<double>& values) {
  if (values.empty()) return {};
  const double tolerance = 0.01 * std::abs(values.back() - values.front()) /
                           static_cast<double>(std::max<std::size_t>(1, values.size() - 1));
  const auto differs_from = [tolerance](double value) {
    return [value, tolerance](double other) { return std::abs(other - value) > tolerance; };
  };
  const auto first = std::ranges::find_if(values, differs_from(values.front()));
  if (first == values.end()) return {values.front()};
  const auto last = std::find_if(values.rbegin(), values.rend(), differs_from(values.back()));
  std::vector<double> inner{first - 1, last.base() + 1};
  std::size_t repeated = 0;
  for (std::size_t i = 1; i < inner.size(); ++i)
    if (std::abs(inner[i] - inner[i - 1]) <= tolerance) ++repeated;
  if (4 * repeated > inner.size()) return {};
  return inner;
}

/// Returns the angles of the frames in a list that begins with the projection `first`.
std::vector<double> at_positions(const std::vector<double>& all, const FrameNumbers& numbers,
                                 int first) {
  std::vector<double> chosen;
  chosen.reserve(static_cast<std::size_t>(numbers.frames));
  for (int frame = 0; frame < numbers.frames; ++frame)
    chosen.push_back(all[static_cast<std::size_t>(numbers.position(frame) - first)]);
  return chosen;
}

std::string text(double angle) { return format_param(to_digits(angle, 6)); }

/// Whether a few angles go over half a turn or a whole one in radians: their end, or the step after
/// it, is that of the turn to five digits, which numbers of degrees are by chance alone.
bool end_in_radians(const std::vector<double>& angles, double span) {
  if (angles.size() < 3) return false;
  const auto count = static_cast<double>(angles.size());
  for (const double turn : {pi, 2 * pi})
    for (const double end : {turn, turn * (count - 1) / count})
      if (std::abs(span - end) < 1e-5 * turn) return true;
  return false;
}

/// Returns the angles of frames in a list that has one for each of them, or for each of the scan;
/// nothing where it has not.
std::optional<std::vector<double>> fitting(const std::vector<double>& lines,
                                           const FrameNumbers& numbers, const std::string& where,
                                           std::vector<Assumption>& assumptions) {
  const auto count = static_cast<std::size_t>(numbers.frames),
             all = static_cast<std::size_t>(numbers.all());
  const int first = count == 0 ? 0 : numbers.position(0),
            last = count == 0 ? -1 : numbers.position(numbers.frames - 1);
  if (lines.size() == count) return lines;
  if (!numbers.places.empty() && lines.size() == static_cast<std::size_t>(numbers.all_places)) {
    assumptions.push_back({"angles", "those of the projections",
                           where + " has an angle for each flat and dark among them too"});
    std::vector<double> chosen;
    for (int frame = 0; frame < numbers.frames; ++frame)
      chosen.push_back(lines[static_cast<std::size_t>(numbers.place(frame))]);
    return chosen;
  }
  if (lines.size() == all || lines.size() == static_cast<std::size_t>(last - first + 1)) {
    assumptions.push_back({"angles", "by the numbers of the frames",
                           where + " has an angle for the missing frames too"});
    return at_positions(lines, numbers, lines.size() == all ? 0 : first);
  }
  if (auto inner = without_repeated_ends(lines); inner.size() == count) {
    assumptions.push_back({"angles", "without the repeated first and last ones",
                           where + " has " + std::to_string(lines.size()) + " lines for " +
                               std::to_string(count) + " frames"});
    return inner;
  }
  return std::nullopt;
}

/// Whether the last angle is half turns from the first one to a hundredth of a step, in degrees,
/// radians or milliradians, as in a list that also has the view that closes the turn.
bool end_turn(const std::vector<double>& angles) {
  constexpr double tolerance = 0.01;
  constexpr std::array<double, 5> turns = {180, 360, 720, pi, 2 * pi};
  if (angles.size() < 3) return false;
  const double span = std::abs(angles.back() - angles.front()),
               step = span / static_cast<double>(angles.size() - 1);
  return std::ranges::any_of(turns, [&](double turn) {
    return std::ranges::any_of(std::array{1.0, 1000.0}, [&](double unit) {
      return (unit == 1 || turn < 7) && std::abs(span - unit * turn) <= tolerance * step;
    });
  });
}

/// Whether the angles go on in even steps all the way to the end of half turns.
bool close_turn(const std::vector<double>& angles) {
  constexpr double tolerance = 0.02;  // of a step
  if (!end_turn(angles)) return false;
  const double step = (angles.back() - angles.front()) / static_cast<double>(angles.size() - 1);
  for (std::size_t i = 1; i < angles.size(); ++i)
    if (!(std::abs(angles[i] - angles[i - 1] - step) <= tolerance * std::abs(step))) return false;
  return true;
}

/// Whether angles that are repeated at both ends, where flats or darks were taken, go over half
/// turns between these, whatever their steps: the last of them closes the turn.
bool stand_still_at_ends_of_turn(const std::vector<double>& lines,
                                 const std::vector<double>& inner) {
  return lines.size() > 2 && lines[0] == lines[1] && lines[lines.size() - 2] == lines.back() &&
         end_turn(inner);
}

/// Returns the angles of the projections and of the last line, where a list has a line more than
/// there are projections, flats and darks; nothing of other lists.
std::vector<double> without_marked(const std::vector<double>& lines, const FrameNumbers& numbers) {
  std::vector<double> angles;
  if (numbers.places.empty() || lines.size() != static_cast<std::size_t>(numbers.all_places) + 1)
    return angles;
  for (int frame = 0; frame < numbers.frames; ++frame)
    angles.push_back(lines[static_cast<std::size_t>(numbers.place(frame))]);
  angles.push_back(lines.back());
  return angles;
}

/// Returns how many lines at the end of a list hold one angle, to which the object turned back from
/// those before, which rise or fall all the way. 0 for other lists.
std::size_t still_at_end(const std::vector<double>& angles) {
  std::size_t still = 0;
  while (still < angles.size() && angles[angles.size() - 1 - still] == angles.back()) ++still;
  const std::span<const double> moving(angles.data(), angles.size() - still);
  if (still < 2 || moving.size() <= still) return 0;
  const bool turns_back = (angles.back() - moving.back()) * (moving.back() - moving.front()) < 0,
             goes_on =
                 std::ranges::adjacent_find(moving, std::ranges::greater_equal()) == moving.end() ||
                 std::ranges::adjacent_find(moving, std::ranges::less_equal()) == moving.end();
  return turns_back && goes_on ? still : 0;
}

/// Returns the angles of frames in a list that has lines more for which there is a reason, which is
/// said; nothing of others.
std::optional<std::vector<double>> fitting_without_extra(const std::vector<double>& lines,
                                                         const FrameNumbers& numbers,
                                                         const std::string& where,
                                                         std::vector<Assumption>& assumptions) {
  const auto without_last = [&](std::size_t extra, const std::string& value,
                                const std::string& reason) {
    const std::vector<double> shorter(lines.begin(),
                                      lines.end() - static_cast<std::ptrdiff_t>(extra));
    auto angles = fitting(shorter, numbers, where, assumptions);
    if (angles)
      assumptions.push_back({"angles", value,
                             where + " has " + std::to_string(lines.size()) + " lines for " +
                                 std::to_string(numbers.frames) + " frames, and " + reason});
    return angles;
  };
  if (close_turn(lines) || close_turn(without_marked(lines, numbers)))
    return without_last(1, "those of the first lines, without the last",
                        "the last one only closes the turn: check that no frame is missing");
  if (auto inner = without_repeated_ends(lines);
      inner.size() == static_cast<std::size_t>(numbers.frames) + 1 &&
      stand_still_at_ends_of_turn(lines, inner)) {
    inner.pop_back();
    assumptions.push_back({"angles", "without the repeated first ones and all of the last",
                           where + " has " + std::to_string(lines.size()) + " lines for " +
                               std::to_string(numbers.frames) +
                               " frames, and the angle at its end, repeated as for flats or "
                               "darks, closes the turn: check that no frame is missing"});
    return inner;
  }
  if (const std::size_t still = still_at_end(lines); still > 0)
    return without_last(
        still, "those of the first lines, without the last " + std::to_string(still),
        "those hold one angle, to which the object turned back, as for flats or darks");
  return std::nullopt;
}

}  // namespace

double span_of(const std::vector<double>& angles) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double angle : angles) {
    if (!std::isfinite(angle)) continue;
    low = std::min(low, angle);
    high = std::max(high, angle);
  }
  return high > low ? high - low : 0;
}

int FrameNumbers::all() const {
  return projections > 0 ? projections : positions.empty() ? frames : positions.back() + 1;
}

int FrameNumbers::position(int frame) const {
  return positions.empty() ? frame : positions[static_cast<std::size_t>(frame)];
}

int FrameNumbers::place(int frame) const {
  return places.empty() ? position(frame) : places[static_cast<std::size_t>(frame)];
}

void take_radians(std::vector<double>& angles, const ListOfAngles& list,
                  std::vector<Assumption>& assumptions) {
  constexpr std::size_t many = 8;
  constexpr double least = 1.5, most = 2.05 * pi;
  if (angles.size() < 2) return;
  const double span = span_of(angles);
  const bool are_radians =
      (angles.size() >= many && span >= least && span <= most) || end_in_radians(angles, span);
  if (!are_radians && !(span > 0 && span <= most)) return;
  std::erase_if(assumptions, [](const Assumption& one) { return one.what == unit_of_angles; });
  if (!are_radians) {
    assumptions.push_back({unit_of_angles, "degrees",
                           list.unit + " in " + list.where + ", where they span " + text(span) +
                               "; radians would be " + text(degrees(span)) + " degrees"});
    return;
  }
  for (double& angle : angles) angle = degrees(angle);
  assumptions.push_back({unit_of_angles, "radians",
                         list.unit + ", and they span " + text(span) + " in " + list.where + "; " +
                             list.remedy + " if they are degrees"});
}

void in_degrees(std::vector<double>& angles, const AngleUnit& unit, const std::string& where) {
  constexpr double most_degrees = 3600;
  const double span = span_of(angles);
  if (span * unit.degrees > most_degrees)
    throw InputError("states " + unit.name + ", but its numbers span " + format_param(span), where,
                     "correct the unit or the numbers, or give the arc (--arc)");
  for (double& angle : angles) angle *= unit.degrees;
}

std::vector<double> angles_of_frames(const std::vector<double>& lines, const FrameNumbers& numbers,
                                     const ListOfAngles& list, std::vector<Assumption>& assumptions,
                                     bool are_degrees) {
  const std::string& where = list.where;
  std::optional<std::vector<double>> angles = fitting(lines, numbers, where, assumptions);
  if (!angles) angles = fitting_without_extra(lines, numbers, where, assumptions);
  if (!angles)
    throw InputError("has " + std::to_string(lines.size()) +
                         (lines.size() == 1 ? " angle for " : " angles for ") +
                         std::to_string(numbers.frames) + " frames" +
                         (numbers.places.empty() ? ""
                                                 : ", or " + std::to_string(numbers.all_places) +
                                                       " with those of no projections"),
                     where, "give one angle per frame");
  if (!are_degrees) take_radians(*angles, list, assumptions);
  return *angles;
}

bool fit_frames(const std::vector<double>& lines, const FrameNumbers& numbers) {
  std::vector<Assumption> said;
  return fitting(lines, numbers, {}, said) || fitting_without_extra(lines, numbers, {}, said);
}

FrameNumbers in_steps(FrameNumbers numbers) {
  if (numbers.positions.empty()) {
    numbers.positions.resize(static_cast<std::size_t>(numbers.frames));
    std::iota(numbers.positions.begin(), numbers.positions.end(), 0);
  }
  if (numbers.projections > 0) return numbers;
  if (const int step = common_step(numbers.positions); step > 1)
    for (int& position : numbers.positions) position /= step;
  return numbers;
}

std::vector<double> angles_over_arc(double arc_deg, bool closed, const FrameNumbers& numbers) {
  const FrameNumbers steps = in_steps(numbers);
  const double step = arc_deg / std::max(1, closed ? steps.all() - 1 : steps.all());
  std::vector<double> angles;
  angles.reserve(steps.positions.size());
  for (const int position : steps.positions) angles.push_back(step * position);
  return angles;
}

}  // namespace gantry
