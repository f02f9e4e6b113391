#include "core/io/imports/angle_list.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/imports/import_scan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace gantry {

namespace {

constexpr std::size_t largest_text = std::size_t{1} << 26;

/// Returns the values without the repetitions of the first and of the last one, which are equal to
/// a hundredth of the mean distance of successive values. The innermost of them is kept.
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
  return {first - 1, last.base() + 1};
}

int numbers_of_frames(int frames, const std::vector<int>& positions) {
  return positions.empty() ? frames : positions.back() + 1;
}

std::vector<double> at_positions(const std::vector<double>& all,
                                 const std::vector<int>& positions) {
  std::vector<double> chosen;
  chosen.reserve(positions.size());
  for (const int position : positions) chosen.push_back(all[static_cast<std::size_t>(position)]);
  return chosen;
}

void take_radians(std::vector<double>& angles, const std::string& where,
                  std::vector<Assumption>& assumptions) {
  const auto [low, high] = std::ranges::minmax(angles);
  if (angles.size() < 8 || high - low < 1.5 || high - low > 2.05 * std::numbers::pi) return;
  for (double& angle : angles) angle *= 180 / std::numbers::pi;
  std::erase_if(assumptions, [](const Assumption& one) { return one.what == unit_of_angles; });
  assumptions.push_back(
      {unit_of_angles, "radians", "they span " + format_param(high - low) + " in " + where});
}

}  // namespace

std::vector<double> angles_for(const ImportRequest& request, int frames,
                               const std::vector<int>& positions,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan) {
  if (!request.geometry.empty()) return {};
  if (!request.angles.empty())
    return angles_of_frames(read_angle_lines(request.angles), frames, positions, request.angles,
                            assumptions);
  if (request.arc_deg)
    return angles_over_arc(*request.arc_deg, !request.arc_is_open, frames, positions);
  return in_scan ? in_scan() : std::vector<double>{};
}

std::vector<double> read_angle_lines(const std::string& path) {
  const std::string text = read_text_file(path, largest_text);
  std::vector<double> angles;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(" \t\r,;+", at);
    double value = 0;
    if (first < end) {
      const auto [rest, error] = std::from_chars(text.data() + first, text.data() + end, value);
      if (error == std::errc{}) {
        if (!std::isfinite(value))
          throw InputError("line " + std::to_string(line) + " is no angle", path,
                           "give one number per line");
        angles.push_back(value);
      }
    }
    at = end + 1;
  }
  if (angles.empty()) throw InputError("holds no numbers", path, "give one angle per line");
  return angles;
}

std::vector<double> angles_of_frames(const std::vector<double>& lines, int frames,
                                     const std::vector<int>& positions, const std::string& where,
                                     std::vector<Assumption>& assumptions, bool are_degrees) {
  const auto count = static_cast<std::size_t>(frames),
             numbers = static_cast<std::size_t>(numbers_of_frames(frames, positions));
  std::vector<double> angles;
  if (lines.size() == count) {
    angles = lines;
  } else if (lines.size() == numbers) {
    angles = at_positions(lines, positions);
    assumptions.push_back({"angles", "by the numbers of the frames",
                           where + " has an angle for the missing frames too"});
  } else if (const auto inner = without_repeated_ends(lines); inner.size() == count) {
    angles = inner;
    assumptions.push_back({"angles", "without the repeated first and last ones",
                           where + " has " + std::to_string(lines.size()) + " lines for " +
                               std::to_string(frames) + " frames"});
  } else {
    throw InputError(
        "has " + std::to_string(lines.size()) + " angles for " + std::to_string(frames) + " frames",
        where, "give one angle per frame");
  }
  if (!are_degrees) take_radians(angles, where, assumptions);
  return angles;
}

std::vector<double> angles_over_arc(double arc_deg, bool closed, int frames,
                                    const std::vector<int>& positions) {
  const int numbers = numbers_of_frames(frames, positions);
  const double step = arc_deg / std::max(1, closed ? numbers - 1 : numbers);
  std::vector<double> angles;
  angles.reserve(static_cast<std::size_t>(frames));
  for (int i = 0; i < frames; ++i)
    angles.push_back(step * (positions.empty() ? i : positions[static_cast<std::size_t>(i)]));
  return angles;
}

}  // namespace gantry
