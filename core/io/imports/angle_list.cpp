#include "core/io/imports/angle_list.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/imports/tables/angle_table.hpp"
#include "core/io/imports/tables/frame_names.hpp"
#include "core/io/imports/tables/table_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

namespace gantry {

namespace {

constexpr std::size_t largest_text = std::size_t{1} << 26;

/// Returns the column of a table that a user names, or numbers from 1. Throws InputError with those
/// that there are.
std::size_t column_called(const AngleTable& table, const std::string& called,
                          const std::string& path) {
  std::vector<std::string> names;
  std::vector<std::size_t> of_name;
  for (std::size_t column = 0; column < table.columns(); ++column) {
    const std::string name = table.name_of(column);
    if (name == lower_case(called)) of_name.push_back(column);
    names.push_back(name.empty() ? std::to_string(column + 1) : name);
  }
  if (of_name.size() > 1)
    throw InputError("columns " + std::to_string(of_name[0] + 1) + " and " +
                         std::to_string(of_name[1] + 1) + " are both called \"" + called + "\"",
                     path, "number the column of the angles from 1 (--angle-column)");
  if (!of_name.empty()) return of_name.front();
  const auto number = number_of_word(called);
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (number == static_cast<double>(column + 1)) return column;
  throw InputError("has no column \"" + called + "\"", path,
                   "name one (--angle-column), or number it from 1; there " +
                       (names.size() == 1 ? "is 1 column" : "are " + std::to_string(names.size())) +
                       ": " + joined(names));
}

/// Returns the table in a text, whose angles are in the column that is `called` so, where the user
/// says it. Throws InputError where it holds none that can be read safely.
AngleTable table_in(const std::string& text, const std::string& path, const std::string& called) {
  AngleTable table = angle_table_of(text);
  if (table.lines.empty()) throw InputError("holds no numbers", path, "give one angle per line");
  if (has_doubtful_commas(table))
    throw InputError("line " + std::to_string(table.lines.front().number) +
                         " has a comma that may be of a decimal or between columns",
                     path, "write decimals with a point, and columns with a blank between them");
  if (!called.empty()) table.chosen = column_called(table, called, path);
  return table;
}

double angle_in(const TableLine& line, std::size_t column, const std::string& path) {
  const std::optional<double> value = line.value(column);
  if (!value || !std::isfinite(*value))
    throw InputError("line " + std::to_string(line.number) + " is no angle", path,
                     "give one angle per line, and mark other lines by #");
  return *value;
}

void say_column(const AngleTable& table, std::size_t column, const std::string& path,
                std::vector<Assumption>& assumptions) {
  if (column > 0 && !table.chosen)
    assumptions.push_back({"column of the angles", std::to_string(column + 1),
                           table.names_angle(column)
                               ? "its name in " + path
                               : "others are no numbers, the same on all lines, numbers of frames "
                                 "or called otherwise, in " +
                                     path});
  if (has_decimal_commas(table)) assumptions.push_back(decimals_behind_comma(path));
}

/// The unit that a file states of its angles.
struct StatedUnit {
  std::optional<AngleUnit> unit;
  bool is_on_lines = false;

  bool is_unclear() const { return unit && unit->name == unclear_grads; }
};

/// Throws an error for angles in a unit that is stated, but is none of a known size.
void refuse_unknown_unit(const AngleTable& table, std::size_t column, const std::string& path) {
  const std::string name =
      table.columns() == 1 ? lower_case(std::string(table.header)) : table.name_of(column);
  std::string unit = unknown_unit_in(name);
  if (unit.empty()) unit = unknown_unit_in(lower_case(std::string(table.before)));
  if (!unit.empty())
    throw UnclearAnglesError("states \"" + unit + "\" as the unit of the angles, which is unknown",
                             path, "give them in degrees, and write \"deg\" for the unit");
}

/// Returns the unit that the lines state, those before the numbers or the name of the file. Throws
/// InputError for two, and for one that is unknown.
StatedUnit stated_unit(const AngleTable& table, std::size_t column, const std::string& path) {
  const std::vector<AngleUnit> on_lines = units_on_lines(table, column);
  if (on_lines.size() > 1)
    throw InputError("states " + on_lines[0].name + " and " + on_lines[1].name, path,
                     "give all angles in one unit");
  if (!on_lines.empty()) return {on_lines.front(), true};
  std::optional<AngleUnit> unit = unit_in_header(table, column);
  if (unit) return {unit};
  refuse_unknown_unit(table, column, path);
  unit = angle_unit_in(lower_case(std::filesystem::path(path).stem().string()));
  return {unit};
}

/// Takes angles in grads for what these are by the numbers.
void take_grads(std::vector<double>& angles, const std::string& path,
                std::vector<Assumption>& assumptions) {
  const AngleUnit unit = unit_of_grads(angles);
  for (double& angle : angles) angle *= unit.degrees;
  assumptions.push_back({unit_of_angles, unit.name, reason_of_grads(unit, path)});
}

/// Takes the unit that the file states, else concludes it. Throws InputError as in_degrees().
void take_unit(std::vector<double>& angles, const StatedUnit& stated, const std::string& path,
               std::vector<Assumption>& assumptions) {
  const std::optional<AngleUnit>& unit = stated.unit;
  if (!unit) return take_radians(angles, {path}, assumptions);
  if (stated.is_unclear()) return take_grads(angles, path, assumptions);
  if (unit->degrees == 1 || angles.empty()) return;
  in_degrees(angles, *unit, path);
  assumptions.push_back(
      {unit_of_angles, unit->name,
       (stated.is_on_lines ? "on the lines of " : "stated before the numbers or in the name of ") +
           path});
}

/// Returns the column of the angles. Throws InputError where several may be it, or none.
std::size_t angle_column(const AngleTable& table, const std::string& path,
                         std::optional<std::size_t> other = {}) {
  const std::vector<std::size_t> columns = angle_columns(table, other);
  if (columns.size() == 1) return columns.front();
  const auto text = [&](std::size_t column) {
    const std::string name = table.name_of(column);
    return std::to_string(column + 1) + (name.empty() ? std::string() : " (" + name + ")");
  };
  const std::string problem = columns.empty()
                                  ? "has no column that may hold the angles"
                                  : "has several columns that may hold the angles, such as " +
                                        text(columns[0]) + " and " + text(columns[1]);
  const std::string remedy = "name the right one, or number it from 1 (--angle-column)";
  // Words on the lines of a log, unlike names of columns, may be meant otherwise.
  const bool is_log = !columns.empty() && !table.labels[columns[0]].empty();
  if (table.names_any_angle() && !is_log) throw UnclearAnglesError(problem, path, remedy);
  throw AngleColumnsError(problem, path, remedy);
}

/// Returns the numbers of a table of one line, if they are many: a list may lie along it.
std::vector<double> numbers_in_one_line(const AngleTable& table, const std::string& path) {
  constexpr std::size_t many = 8;
  std::vector<double> numbers;
  if (table.lines.size() != 1 || table.columns() < many) return numbers;
  for (std::size_t column = 0; column < table.columns(); ++column)
    numbers.push_back(angle_in(table.lines.front(), column, path));
  return numbers;
}

std::vector<double> angles_in(const AngleTable& table, std::size_t column, const std::string& path,
                              std::vector<Assumption>* assumptions) {
  if (auto along = numbers_in_one_line(table, path); !along.empty()) return along;
  if (assumptions != nullptr) say_column(table, column, path, *assumptions);
  std::vector<double> angles;
  angles.reserve(table.lines.size());
  for (const TableLine& line : table.lines) angles.push_back(angle_in(line, column, path));
  return angles;
}

/// Throws an error for a file whose name has no line, or several with different angles.
[[noreturn]] void refuse_name(const AngleTable& table, const std::string& problem,
                              const std::string& path) {
  const std::string remedy = "give one line for each projection, or move files without one away";
  if (table.names_any_angle()) throw UnclearAnglesError(problem, path, remedy);
  throw InputError(problem, path, remedy);
}

/// Returns the angle of each frame in the line that names its file.
std::vector<double> angles_by_name(const AngleTable& table, const NamesOfFrames& names,
                                   const FrameNumbers& numbers, const std::string& path,
                                   std::vector<Assumption>& assumptions) {
  const std::size_t column = angle_column(table, path, names.column);
  const auto name_of = [&](int frame) {
    return std::filesystem::path(numbers.files[static_cast<std::size_t>(frame)])
        .filename()
        .string();
  };
  std::map<int, double> found;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const int frame = names.frames[i];
    if (frame < 0) {
      others.push_back(names.words[i]);
      continue;
    }
    const double angle = angle_in(table.lines[i], column, path);
    if (const auto [at, is_new] = found.emplace(frame, angle); !is_new && at->second != angle)
      refuse_name(table,
                  "line " + std::to_string(table.lines[i].number) + " gives " + name_of(frame) +
                      " another angle than a line above",
                  path);
  }
  std::vector<double> angles;
  std::vector<int> without;
  for (int frame = 0; frame < numbers.frames; ++frame)
    if (const auto at = found.find(frame); at != found.end())
      angles.push_back(at->second);
    else
      without.push_back(frame);
  if (!without.empty())
    refuse_name(table,
                "names the projections, but has no line for " + std::to_string(without.size()) +
                    " of " + std::to_string(numbers.frames) + ", " + name_of(without.front()) +
                    (without.size() > 1 ? " to " + name_of(without.back()) : std::string()),
                path);
  say_column(table, column, path, assumptions);
  assumptions.push_back(
      {"angles", "by the names of the files",
       "column " + std::to_string(names.column + 1) + " of " + path + " holds them" +
           (others.empty() ? std::string()
                           : "; " + std::to_string(others.size()) +
                                 (others.size() == 1 ? " line names" : " lines name") +
                                 " no projection, as " + others.front())});
  return angles;
}

/// Returns the angle of each frame in the line with its number: that in the name of its file, or
/// its place from 0 or 1. Throws InputError where these do not fit the numbers in the column.
std::vector<double> angles_by_number(const AngleTable& table, std::size_t numbers_column,
                                     const FrameNumbers& numbers, const std::string& path,
                                     std::vector<Assumption>& assumptions) {
  const std::size_t column = angle_column(table, path, numbers_column);
  std::map<double, double> by_number;
  for (const TableLine& line : table.lines)
    by_number.emplace(line.value(numbers_column).value_or(0), angle_in(line, column, path));
  for (const int first : {numbers.first_number, 0, 1}) {
    std::vector<double> angles;
    for (int frame = 0; frame < numbers.frames; ++frame)
      if (const auto found = by_number.find(first + numbers.place(frame)); found != by_number.end())
        angles.push_back(found->second);
    if (angles.size() != static_cast<std::size_t>(numbers.frames)) continue;
    say_column(table, column, path, assumptions);
    assumptions.push_back(
        {"angles",
         first == numbers.first_number
             ? std::string("by the numbers of the files")
             : "by the numbers of the frames from " + std::to_string(first),
         "column " + std::to_string(numbers_column + 1) + " of " + path + " holds them"});
    return angles;
  }
  throw InputError("numbers " + std::to_string(table.lines.size()) +
                       " projections with gaps, but not as the " + std::to_string(numbers.frames) +
                       " that are there",
                   path, "give one line for each projection, with the number of its file");
}

/// Returns the numbers of the only array of a file of NumPy.
std::vector<double> angles_in_array(const std::string& path, const std::string& column) {
  if (!column.empty())
    throw InputError("is an array, of which no column can be named", path,
                     "give a list of one angle per frame, or a text");
  const ArrayFile file = open_numpy(path);
  if (file.arrays.size() != 1)
    throw InputError("holds " + std::to_string(file.arrays.size()) + " arrays", path,
                     "give a file of one array, or a text with an angle per line");
  const StoredArray& array = file.arrays.front();
  if (std::ranges::count_if(array.size, [](std::uint64_t n) { return n != 1; }) > 1)
    throw InputError("is an array of " + array.size_text() + " numbers, which is no list of angles",
                     path, "give a list with one angle per frame");
  std::vector<double> angles = numbers_of(array);
  if (!std::ranges::all_of(angles, [](double angle) { return std::isfinite(angle); }))
    throw InputError("holds a number that is no angle", path, "give one finite angle per frame");
  return angles;
}

}  // namespace

Assumption decimals_behind_comma(const std::string& path) {
  return {"decimals of the angles", "behind a comma",
          "another character divides the columns of " + path};
}

std::vector<double> angles_for(const ImportRequest& request, const FrameNumbers& frames,
                               std::vector<Assumption>& assumptions,
                               const std::function<std::vector<double>()>& in_scan) {
  if (!request.geometry.empty()) return {};
  const FrameNumbers numbers = in_order_of_angles(frames, request.turn);
  if (!request.angles.empty())
    return angles_in_file(request.angles, numbers, assumptions, request.angle_column);
  if (request.arc_deg == 0.0 && numbers.frames > 1)
    throw UsageError("all projections cannot have the same angle", "the arc of 0 degrees",
                     "give the angle from the first to the last projection");
  if (request.arc_deg) return angles_over_arc(*request.arc_deg, !request.arc_is_open, numbers);
  return in_scan ? in_scan() : std::vector<double>{};
}

std::size_t count_of_angles(const ImportRequest& request, std::size_t in_scan) {
  return request.angles.empty()
             ? in_scan
             : read_angle_lines(request.angles, nullptr, request.angle_column).size();
}

std::vector<double> read_angle_lines(const std::string& path, std::vector<Assumption>* assumptions,
                                     const std::string& column) {
  if (is_numpy(path)) return angles_in_array(path, column);
  const std::string text = read_table_text(path, largest_text);
  const AngleTable table = table_in(text, path, column);
  return angles_in(table, angle_column(table, path), path, assumptions);
}

bool calls_angles(const std::string& path) {
  const std::string text = read_table_text(path, largest_text);
  const AngleTable table = angle_table_of(text);
  if (table.lines.empty()) return false;
  for (std::size_t column = 0; column < table.columns(); ++column)
    if (table.names_angle(column) || unit_in_header(table, column)) return true;
  return false;
}

std::vector<double> angles_in_file(const std::string& path, const FrameNumbers& numbers,
                                   std::vector<Assumption>& assumptions,
                                   const std::string& called) {
  if (is_numpy(path))
    return angles_of_frames(
        angles_in_array(path, called), numbers,
        {.where = path, .remedy = "give a text with \"deg\" in a line before them instead"},
        assumptions);
  const std::string text = read_table_text(path, largest_text);
  AngleTable table = table_in(text, path, called);
  const auto names = numbers.files.empty() ? std::nullopt : names_of_frames(table, numbers.files);
  if (names) {
    std::vector<double> angles = angles_by_name(table, *names, numbers, path, assumptions);
    take_unit(angles, stated_unit(table, angle_column(table, path, names->column), path), path,
              assumptions);
    return angles;
  }
  const bool has_gaps = !numbers.positions.empty() || !numbers.places.empty();
  const auto with_gaps = has_gaps ? numbers_with_gaps(table) : std::nullopt;
  if (with_gaps) {
    std::vector<double> angles = angles_by_number(table, *with_gaps, numbers, path, assumptions);
    take_unit(angles, stated_unit(table, angle_column(table, path, with_gaps), path), path,
              assumptions);
    return angles;
  }
  const auto numbers_column = unordered_numbers(table);
  if (numbers_column) {
    std::ranges::stable_sort(table.lines, {}, [&](const TableLine& line) {
      return line.value(*numbers_column).value_or(0);
    });
    const std::string name = table.name_of(*numbers_column);
    assumptions.push_back(
        {"angles",
         "in the order of " + (name.empty() ? "the column of the frames" : "\"" + name + "\""),
         "its numbers are in another order than the lines of " + path});
  }
  const std::size_t column = angle_column(table, path, numbers_column);
  std::vector<double> lines = angles_in(table, column, path, &assumptions);
  // All lines tell what grads are, and whether the last one closes the turn.
  const StatedUnit unit = stated_unit(table, column, path);
  if (unit.unit) take_unit(lines, unit, path, assumptions);
  const auto others = column_of_file_names(table);
  if (others)
    assumptions.push_back(
        {"angles", "in the order of the lines",
         "the names in column " + std::to_string(*others + 1) + " of " + path +
             (numbers.files.empty() ? " do not tell the frames, which have no files of their own"
                                    : " are those of no projection")});
  std::vector<double> angles = angles_of_frames(lines, numbers, {path}, assumptions, true);
  if (!unit.unit) take_unit(angles, unit, path, assumptions);
  return angles;
}

}  // namespace gantry
