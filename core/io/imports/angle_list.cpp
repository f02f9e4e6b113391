#include "core/io/imports/angle_list.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/number_table.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/import_scan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>

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

/// Returns the angles of the frames in a list that begins with the projection `first`.
std::vector<double> at_positions(const std::vector<double>& all, const FrameNumbers& numbers,
                                 int first) {
  std::vector<double> chosen;
  chosen.reserve(static_cast<std::size_t>(numbers.frames));
  for (int frame = 0; frame < numbers.frames; ++frame)
    chosen.push_back(all[static_cast<std::size_t>(numbers.position(frame) - first)]);
  return chosen;
}

void take_radians(std::vector<double>& angles, const std::string& where,
                  std::vector<Assumption>& assumptions) {
  const auto [low, high] = std::ranges::minmax(angles);
  if (angles.size() < 8 || high - low < 1.5 || high - low > 2.05 * pi) return;
  for (double& angle : angles) angle = degrees(angle);
  std::erase_if(assumptions, [](const Assumption& one) { return one.what == unit_of_angles; });
  assumptions.push_back(
      {unit_of_angles, "radians", "they span " + format_param(high - low) + " in " + where});
}

/// A line of a table.
struct TableLine {
  int number = 0;  ///< in the file, from 1
  std::string_view text;

  /// Returns the number in a column, which may have a unit; nothing without one.
  std::optional<double> value(std::size_t column) const {
    const std::vector<std::string_view> words = words_of_line(text);
    if (column >= words.size()) return std::nullopt;
    std::string_view rest = words[column];
    const std::optional<double> found = take_number(rest);
    return rest.empty() || rest == "deg" || rest == "\u00b0" ? found : std::nullopt;
  }
  std::size_t columns() const { return words_of_line(text).size(); }
  bool has_number() const {
    for (std::size_t column = 0; column < columns(); ++column)
      if (value(column)) return true;
    return false;
  }
};

/// The lines of a table from the first with numbers on, without comments.
struct AngleTable {
  std::string_view header;  ///< the line before
  std::vector<TableLine> lines;

  /// Whether the line before the numbers calls a column the angle.
  bool names_column(std::size_t column) const {
    const std::vector<std::string_view> names = words_of_line(header);
    if (names.size() != lines.front().columns()) return false;
    const std::string name = lower_case(std::string(names[column]));
    return name.find("angle") != std::string::npos || name.find("theta") != std::string::npos;
  }
};

AngleTable table_of(std::string_view text) {
  AngleTable table;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const TableLine line{number, trimmed_blanks(text.substr(at, end - at))};
    at = end + 1;
    if (line.columns() == 0) continue;
    const bool is_comment =
        std::string_view("#%!/").find(line.text.front()) != std::string_view::npos;
    if (!is_comment && (!table.lines.empty() || line.has_number()))
      table.lines.push_back(line);
    else if (table.lines.empty())
      table.header = line.text.substr(is_comment ? 1 : 0);
  }
  // Text before the numbers may have some too: numbers begin lines, where they do at all.
  const auto begins_with_number = [](const TableLine& line) { return line.value(0).has_value(); };
  const auto first = std::ranges::find_if(table.lines, begins_with_number);
  if (first != table.lines.end() && first != table.lines.begin()) {
    table.header = first[-1].text;
    table.lines.erase(table.lines.begin(), first);
  }
  return table;
}

/// Whether the words of a column are 0, 1, 2 and so on, or 1, 2, 3.
bool counts_lines(const AngleTable& table, std::size_t column) {
  int expected = table.lines.front().value(column) == 0 ? 0 : 1;
  return std::ranges::all_of(table.lines, [&](const TableLine& line) {
    return line.value(column) == expected++ &&
           words_of_line(line.text)[column].find('.') == std::string_view::npos;
  });
}

/// Whether all lines have numbers in a column, not all the same.
bool varies(const AngleTable& table, std::size_t column) {
  const std::optional<double> first = table.lines.front().value(column);
  bool is_varied = false;
  for (const TableLine& line : table.lines) {
    const std::optional<double> value = line.value(column);
    if (!value) return false;
    is_varied = is_varied || value != first;
  }
  return is_varied;
}

/// Whether commas may be those of decimals as well as those between columns: each line has one
/// between two digits and no point, and nothing says that there are columns.
bool has_doubtful_commas(const AngleTable& table) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_doubtful = [&](const TableLine& line) {
    const std::size_t at = line.text.find(',');
    if (at == std::string_view::npos || at == 0 || at + 1 == line.text.size()) return false;
    const bool is_alone = line.text.find(',', at + 1) == std::string_view::npos;
    return is_digit(line.text[at - 1]) && is_digit(line.text[at + 1]) &&
           line.text.find('.') == std::string_view::npos &&
           (is_alone || line.text.find(';') != std::string_view::npos);
  };
  if (!std::ranges::all_of(table.lines, is_doubtful)) return false;
  if (table.lines.front().text.find(';') != std::string_view::npos) return true;
  for (const std::size_t column : {std::size_t{0}, std::size_t{1}})
    if (table.names_column(column) || counts_lines(table, column)) return false;
  return true;
}

/// Returns the column that the line before the numbers calls so, else the first one with numbers;
/// where that counts the lines and a second one varies, that one.
std::size_t angle_column(const AngleTable& table) {
  const std::size_t columns = table.lines.front().columns();
  for (std::size_t column = 0; column < columns; ++column)
    if (table.names_column(column)) return column;
  std::size_t first = 0;
  while (first + 1 < columns && !table.lines.front().value(first)) ++first;
  if (counts_lines(table, first) && table.lines.size() > 2)
    for (std::size_t column = first + 1; column < columns; ++column)
      if (varies(table, column)) return column;
  return first;
}

}  // namespace

int FrameNumbers::all() const {
  return projections > 0 ? projections : positions.empty() ? frames : positions.back() + 1;
}

int FrameNumbers::position(int frame) const {
  return positions.empty() ? frame : positions[static_cast<std::size_t>(frame)];
}

std::vector<double> angles_for(const ImportRequest& request, const FrameNumbers& numbers,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan) {
  if (!request.geometry.empty()) return {};
  if (!request.angles.empty())
    return angles_of_frames(read_angle_lines(request.angles, &assumptions), numbers, request.angles,
                            assumptions);
  if (request.arc_deg == 0.0 && numbers.frames > 1)
    throw UsageError("all projections cannot have the same angle", "the arc of 0 degrees",
                     "give the angle from the first to the last projection");
  if (request.arc_deg) return angles_over_arc(*request.arc_deg, !request.arc_is_open, numbers);
  return in_scan ? in_scan() : std::vector<double>{};
}

std::size_t count_of_angles(const ImportRequest& request, std::size_t in_scan) {
  return request.angles.empty() ? in_scan : read_angle_lines(request.angles).size();
}

std::vector<double> read_angle_lines(const std::string& path,
                                     std::vector<Assumption>* assumptions) {
  const std::string text = read_text_file(path, largest_text);
  const AngleTable table = table_of(text);
  if (table.lines.empty()) throw InputError("holds no numbers", path, "give one angle per line");
  if (has_doubtful_commas(table))
    throw InputError("line " + std::to_string(table.lines.front().number) +
                         " has a comma that may be of a decimal or between columns",
                     path, "write decimals with a point, and columns with a blank between them");
  const std::size_t column = angle_column(table);
  if (assumptions != nullptr && column > 0)
    assumptions->push_back({"column of the angles", std::to_string(column + 1),
                            table.names_column(column)
                                ? "its name in " + path
                                : "those before it count the lines or are no numbers, in " + path});
  std::vector<double> angles;
  angles.reserve(table.lines.size());
  for (const TableLine& line : table.lines) {
    const std::optional<double> value = line.value(column);
    if (!value || !std::isfinite(*value))
      throw InputError("line " + std::to_string(line.number) + " is no angle", path,
                       "give one angle per line, and mark other lines by #");
    angles.push_back(*value);
  }
  return angles;
}

std::vector<double> angles_of_frames(const std::vector<double>& lines, const FrameNumbers& numbers,
                                     const std::string& where, std::vector<Assumption>& assumptions,
                                     bool are_degrees) {
  const auto count = static_cast<std::size_t>(numbers.frames),
             all = static_cast<std::size_t>(numbers.all());
  const int first = count == 0 ? 0 : numbers.position(0),
            last = count == 0 ? -1 : numbers.position(numbers.frames - 1);
  std::vector<double> angles;
  if (lines.size() == count) {
    angles = lines;
  } else if (lines.size() == all || lines.size() == static_cast<std::size_t>(last - first + 1)) {
    angles = at_positions(lines, numbers, lines.size() == all ? 0 : first);
    assumptions.push_back({"angles", "by the numbers of the frames",
                           where + " has an angle for the missing frames too"});
  } else if (const auto inner = without_repeated_ends(lines); inner.size() == count) {
    angles = inner;
    assumptions.push_back({"angles", "without the repeated first and last ones",
                           where + " has " + std::to_string(lines.size()) + " lines for " +
                               std::to_string(count) + " frames"});
  } else {
    throw InputError(
        "has " + std::to_string(lines.size()) + " angles for " + std::to_string(count) + " frames",
        where, "give one angle per frame");
  }
  if (!are_degrees) take_radians(angles, where, assumptions);
  return angles;
}

FrameNumbers in_steps(FrameNumbers numbers) {
  if (numbers.positions.empty()) {
    numbers.positions.resize(static_cast<std::size_t>(numbers.frames));
    std::iota(numbers.positions.begin(), numbers.positions.end(), 0);
  }
  if (numbers.projections > 0) return numbers;
  int step = 0;
  for (const int position : numbers.positions) step = std::gcd(step, position);
  if (step > 1)
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
