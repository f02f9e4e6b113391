#include "core/io/imports/checks/geometry_checks.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr std::size_t fewest_angles = 8;  // that tell what is usual among them
constexpr double alike_deg = 1e-6;
constexpr double most_deg = 100 * 360.0;
constexpr double largest_cell_mm = 20, smallest_cell_mm = 5e-6;

using Angles = std::vector<double>;

std::string number_text(double value) { return format_param(to_digits(value, 6)); }

/// Returns the difference of two directions, -180 to 180 degrees.
double turn_between(double from_deg, double to_deg) {
  return std::remainder(to_deg - from_deg, 360.0);
}

std::optional<std::string> shared_angles(Angles angles) {
  if (angles.size() < 2) return std::nullopt;
  std::ranges::sort(angles);
  if (angles.back() - angles.front() <= alike_deg)
    return "all " + std::to_string(angles.size()) + " views have the angle " +
           number_text(angles.front()) + ": they show the object from one side alone";
  std::size_t shared = 0;
  double first = 0;
  for (std::size_t i = 1; i < angles.size(); ++i)
    if (angles[i] - angles[i - 1] <= alike_deg && shared++ == 0) first = angles[i];
  if (shared == 0) return std::nullopt;
  return std::to_string(shared) + (shared == 1 ? " view has" : " views have") +
         " the angle of another one, as " + number_text(first) +
         " degrees: check the list of angles";
}

/// Tells of angles over so small an arc that they are hardly those of a scan.
std::optional<std::string> narrow_arc(const Angles& angles) {
  constexpr double least_deg = 1;
  if (angles.size() < fewest_angles) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(angles);
  if (high - low <= alike_deg || high - low >= least_deg) return std::nullopt;
  return "the " + std::to_string(angles.size()) + " views cover only " + number_text(high - low) +
         " degrees: check that their angles, and the unit of these, are those of the scan; a list "
         "of others (--angles) or the arc (--arc) takes their place";
}

/// Tells of single angles far from those before and after them, which lie close together.
std::optional<std::string> stray_angle(const Angles& angles) {
  if (angles.size() < fewest_angles) return std::nullopt;
  Angles steps;
  for (std::size_t i = 1; i < angles.size(); ++i)
    steps.push_back(std::abs(turn_between(angles[i - 1], angles[i])));
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  for (std::size_t i = 1; i + 1 < angles.size(); ++i) {
    const double across = turn_between(angles[i - 1], angles[i + 1]),
                 off = turn_between(angles[i - 1] + 0.5 * across, angles[i]);
    if (std::abs(across) <= 4 * *middle && std::abs(off) > 10 * *middle)
      return "the angle of view " + std::to_string(i) + ", " + number_text(angles[i]) +
             " degrees, is far from those before and after it: check the list of angles";
  }
  return std::nullopt;
}

/// Whether a step is that of a golden angle, of which a scan takes as many as it likes.
bool is_golden(double step_deg) {
  constexpr double golden[] = {68.754, 111.246, 137.508};
  const double turn = std::abs(turn_between(0, step_deg));
  return std::ranges::any_of(golden, [&](double one) { return std::abs(turn - one) < 0.5; });
}

/// Tells of angles that were taken as radians and are hardly any: by their numbers they cover half
/// a turn or a whole one in degrees, or they go on evenly in large steps for many turns.
std::optional<std::string> degrees_called_radians(const Angles& angles) {
  constexpr double large_step_deg = 45, many_deg = 5 * 360;
  Angles steps;
  for (std::size_t i = 1; i < angles.size(); ++i) steps.push_back(angles[i] - angles[i - 1]);
  const auto [least, greatest] = std::ranges::minmax(steps);
  const double range = std::abs(angles.back() - angles.front()),
               step = range / static_cast<double>(steps.size());
  const auto covers = [&](double turn) {
    return std::abs(radians(range) - turn) < 0.005 * turn ||
           std::abs(radians(range + step) - turn) < 0.005 * turn;
  };
  const bool is_even = greatest - least < 0.02 * step, covers_turn = covers(180) || covers(360);
  if (!is_even || range < many_deg || (!covers_turn && (step < large_step_deg || is_golden(step))))
    return std::nullopt;
  return "the views are " + number_text(step) + " degrees apart and cover " + number_text(range) +
         ", as " + number_text(radians(range)) +
         " degrees do that are called radians: check the unit of the angles";
}

std::optional<std::string> doubtful_unit(const Angles& angles) {
  if (angles.size() < fewest_angles) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(angles);
  if (std::max(std::abs(low), std::abs(high)) > most_deg)
    return "the angles reach " + number_text(std::abs(low) > std::abs(high) ? low : high) +
           " degrees, more than a hundred turns: check their unit";
  const double open = (high - low) / static_cast<double>(angles.size() - 1);
  for (const double turn : {pi, 2 * pi})
    for (const double arc : {high - low, high - low + open})
      if (std::abs(arc - turn) < 0.005 * turn)
        return "the views cover " + number_text(high - low) + " degrees, as " +
               (turn > 4 ? "a whole turn" : "half a turn") +
               " does in radians: check the unit of the angles";
  return degrees_called_radians(angles);
}

}  // namespace

std::vector<std::string> doubts_about(const ScanSpec& spec, bool lengths_are_known) {
  std::vector<std::string> doubts;
  const auto add = [&](const std::optional<std::string>& doubt) {
    if (doubt) doubts.push_back(*doubt);
  };
  Angles angles;
  for (const double angle : spec.view_angles_rad) angles.push_back(degrees(angle));
  add(shared_angles(angles));
  add(narrow_arc(angles));
  add(stray_angle(angles));
  add(doubtful_unit(angles));
  if (spec.trajectory != Trajectory::poses &&
      (spec.central_column < -0.5 || spec.central_column > spec.detector_columns - 0.5))
    doubts.push_back("the axis of rotation, column " + number_text(spec.central_column) +
                     ", lies outside the detector of " + std::to_string(spec.detector_columns) +
                     " columns");
  if (const double pitch = spec.column_pitch_mm;
      lengths_are_known && (pitch > largest_cell_mm || pitch < smallest_cell_mm))
    doubts.push_back("no detector has cells of " + number_text(pitch) + " mm: check their unit");
  return doubts;
}

void require_near_axis(const std::optional<double>& column, int columns) {
  if (column && (*column < -columns || *column > 2.0 * columns))
    throw UsageError("column " + number_text(*column) + " is far outside the detector, which has " +
                         std::to_string(columns) + " columns",
                     "the column of the axis", "count columns from 0, or leave it out");
}

}  // namespace gantry
