#include "core/io/imports/formats/nikon_angles.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/tables/angle_table.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;

constexpr int most_projections = 1'000'000;
constexpr std::size_t largest_text = std::size_t{1} << 26;

/// Returns the number of a projection in a column; nothing where it is none.
std::optional<int> number_in(const TableLine& line, std::size_t column) {
  const auto value = line.value(column);
  const bool is_one =
      value && *value == std::floor(*value) && *value >= 0 && *value <= most_projections;
  return is_one ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

/// Returns the column of the next number of a line behind another one.
std::size_t next_number(const TableLine& line, std::size_t column) {
  do ++column;
  while (column < line.columns() && !line.value(column));
  return column;
}

/// Returns the first column of a line with the number of a projection, where a further number
/// stands behind it; nothing of other lines.
std::optional<std::size_t> column_of_number(const TableLine& line) {
  std::size_t column = 0;
  while (column < line.columns() && !line.value(column)) ++column;
  const bool is_one = number_in(line, column) && next_number(line, column) < line.columns();
  return is_one ? std::optional(column) : std::nullopt;
}

/// Returns the column that the head of a list calls the angle; nothing where it calls none so.
std::optional<std::size_t> column_called_angle(const AngleTable& table) {
  if (!table.names_any_angle()) return std::nullopt;
  for (const std::size_t column : angle_columns(table))
    if (table.lines.front().value(column)) return column;
  return std::nullopt;
}

bool are_letters(std::string_view word) {
  return std::ranges::all_of(word, [](unsigned char c) { return std::isalpha(c) != 0; });
}

/// Returns the text of a list as a table of angles has it: without a word before the numbers of the
/// projections and a colon behind these ("Proj 17: 1.83"), the lines of its head, which may hold
/// numbers too, as comments, and without lines that list nothing.
std::string text_of_table(std::string text) {
  std::ranges::replace(text, ':', ' ');
  std::string head, lines;
  std::size_t listed = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const TableLine line{0, trimmed_blanks(std::string_view(text).substr(at, end - at))};
    at = end + 1;
    if (line.text.empty()) continue;
    if (column_of_number(line)) {
      const std::string_view word = line.words().front();
      lines += std::string(line.text.substr(are_letters(word) ? word.size() : 0)) + "\n";
      ++listed;
    } else if (listed < 2) {  // a line of the head may look like one of the list
      head += lines.empty() ? "" : "#" + lines;
      head += "#" + std::string(line.text) + "\n";
      lines.clear();
      listed = 0;
    }
  }
  return head + lines;
}

/// The angles in a text of numbered lines, in any order.
struct MeasuredAngles {
  std::string file;                 ///< its name
  std::map<int, double> of_number;  ///< by the numbers of the lines
  int first = 1;                    ///< the number of the line of the first projection
  std::vector<Assumption> assumptions;
  std::optional<AngleUnit> unit;  ///< that the file states; `of_number` is in degrees

  MeasuredAngles(const fs::path& folder, std::string name) : file(std::move(name)) {
    const std::string path = (folder / file).string(),
                      text = text_of_table(read_text_file(path, largest_text));
    const AngleTable table = angle_table_of(text);
    if (table.lines.empty()) return;
    const auto called = column_called_angle(table);
    std::vector<int> of_line;
    std::vector<double> angles;
    for (const TableLine& line : table.lines) {
      const auto at = column_of_number(line);
      const auto number = at ? number_in(line, *at) : std::nullopt;
      const auto angle = at ? line.value(called.value_or(next_number(line, *at))) : std::nullopt;
      if (!number || !angle || !std::isfinite(*angle)) continue;
      of_line.push_back(*number);
      angles.push_back(*angle);
    }
    const auto numbers = column_of_number(table.lines.front());
    if (!numbers) return;
    unit = unit_in_header(table, called.value_or(next_number(table.lines.front(), *numbers)));
    if (unit) in_degrees(angles, *unit, path);
    for (std::size_t i = 0; i < angles.size(); ++i) of_number[of_line[i]] = angles[i];
    first = of_number.contains(0) ? 0 : 1;
    if (has_decimal_commas(table)) assumptions.push_back(decimals_behind_comma(path));
  }

  /// Returns how many lines follow that of the last of so many projections.
  int lines_behind(int projections) const {
    int further = 0;
    while (of_number.contains(first + projections + further)) ++further;
    return further;
  }
  /// Returns the angles of frames, and the files of those whose lines are missing.
  std::pair<std::vector<double>, std::vector<std::string>> of(const FrameNumbers& numbers) const {
    std::pair<std::vector<double>, std::vector<std::string>> found;
    for (int frame = 0; frame < numbers.frames; ++frame)
      if (const auto at = of_number.find(first + numbers.position(frame)); at != of_number.end())
        found.first.push_back(at->second);
      else
        found.second.push_back(fs::path(numbers.files[static_cast<std::size_t>(frame)]).filename());
    return found;
  }
};

/// Says which lines of a list were taken that goes on behind that of the last projection.
void note_further_lines(const MeasuredAngles& measured, int projections,
                        std::vector<std::string>& notes) {
  const int further = measured.lines_behind(projections);
  if (further == 0) return;
  notes.push_back(measured.file + " has " + std::to_string(measured.of_number.size()) +
                  " lines for " + std::to_string(projections) + " images; " +
                  (measured.first == 0 ? "line 0 was taken for the first image, and " : "") +
                  (further == 1 ? std::string("the last was")
                                : "the last " + std::to_string(further) + " were") +
                  " not used");
}

/// Returns by how many degrees measured angles differ from the nominal ones, at most; 0 where that
/// is no more than half a step.
double contradiction_deg(const std::vector<double>& measured, const FrameNumbers& numbers,
                         const std::vector<double>& nominal_deg) {
  const auto nominal = [&](std::size_t frame) {
    return nominal_deg[static_cast<std::size_t>(numbers.position(static_cast<int>(frame)))];
  };
  double largest = 0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    largest = std::max(largest, std::abs(measured[i] - measured[0] - nominal(i) + nominal(0)));
  const double step = nominal_deg.size() > 1 ? std::abs(nominal_deg[1] - nominal_deg[0]) : 0;
  return largest > 0.5 * step ? largest : 0;
}

/// Says that a list was left out, which lacks the lines of some images.
void note_missing_lines(const std::string& file, const std::vector<std::string>& missing,
                        int frames, const std::string& outcome, std::vector<std::string>& notes) {
  notes.push_back(file + " lists no angle for " +
                  (missing.size() == 1
                       ? missing.front()
                       : std::to_string(missing.size()) + " of the " + std::to_string(frames) +
                             " images, " + missing.front() + " to " + missing.back() + ",") +
                  " and was left out: " + outcome);
}

/// Says that a further list differs from the one that was taken, which has `angles`.
void compare_lists(const std::string& taken, const std::vector<double>& angles,
                   const MeasuredAngles& further, const FrameNumbers& numbers,
                   std::vector<std::string>& notes) {
  constexpr double most_apart_deg = 0.01;
  const auto [others, missing] = further.of(numbers);
  if (!missing.empty())
    return note_missing_lines(further.file, missing, numbers.frames, taken + " tells the angles",
                              notes);
  double largest = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    largest = std::max(largest, std::abs(others[i] - others[0] - angles[i] + angles[0]));
  const double offset = others[0] - angles[0];
  const std::string remedy =
      " degrees from those in " + taken + ", which were taken: remove the list that is wrong";
  if (largest > most_apart_deg)
    notes.push_back("the angles in " + further.file + " differ by up to " +
                    format_param(to_digits(largest, 6)) + remedy);
  else if (std::abs(offset) > most_apart_deg)
    notes.push_back("all angles in " + further.file + " are " + format_param(to_digits(offset, 6)) +
                    remedy);
}

/// The lists of angles beside the settings of a scan.
struct NikonLists {
  std::vector<std::string> own;     ///< called as Nikon's program calls that of the scan
  std::vector<std::string> others;  ///< that may be of the scan, too
};

/// Returns the files of a folder that may list the angles of a scan. Names count in capitals, too.
/// Lists that other settings in the folder are called after are theirs.
NikonLists lists_in(const fs::path& folder, const std::string& name) {
  constexpr const char* ending = "_ctdata.txt";
  std::map<std::string, std::string> files;  // by their names in lower case
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (std::error_code of_file; entry.is_regular_file(of_file)) {
      const std::string file = entry.path().filename().string();
      files.emplace(lower_case(file), file);
    }
  NikonLists lists;
  const std::string lower = lower_case(name);
  for (const std::string& own : {std::string(ending), lower + ending, lower + ".ang"})
    if (const auto found = files.find(own); found != files.end()) {
      lists.own.push_back(found->second);
      files.erase(found);
    }
  for (const auto& [key, file] : files)
    for (const std::string& end : {std::string(ending), std::string(".ang")})
      if (key.ends_with(end) && !files.contains(key.substr(0, key.size() - end.size()) + ".xtekct"))
        lists.others.push_back(file);
  return lists;
}

/// The list that was taken.
struct TakenList {
  std::string file;
  std::vector<double> angles;  ///< of the frames
};

/// Returns the angles of frames in a list, with notes on it; nothing, with a note, of one that
/// lacks some, or that is not `called_as_scan` and contradicts the nominal angles.
TakenList take_list(const MeasuredAngles& measured, const FrameNumbers& numbers,
                    const std::vector<double>& nominal_deg, bool called_as_scan, RawScan& scan) {
  auto [angles, missing] = measured.of(numbers);
  if (!missing.empty()) {
    note_missing_lines(measured.file, missing, numbers.frames, "AngularStep tells the angles",
                       scan.notes);
    return {};
  }
  const double apart_deg = contradiction_deg(angles, numbers, nominal_deg);
  const std::string difference = "the angles in " + measured.file + " differ by up to " +
                                 format_param(to_digits(apart_deg, 6)) +
                                 " degrees from AngularStep";
  if (apart_deg > 0 && !called_as_scan) {
    scan.notes.push_back(difference +
                         ", and it is not called as the scan: it was left out as a list of another "
                         "scan; --angles takes it");
    return {};
  }
  if (measured.unit && measured.unit->degrees != 1)
    scan.notes.push_back(measured.file + " states its angles in " + measured.unit->name +
                         ": they were converted");
  note_further_lines(measured, static_cast<int>(nominal_deg.size()), scan.notes);
  if (apart_deg > 0) scan.notes.push_back(difference + "; those of the file were taken");
  scan.assumptions.push_back({"angles", "from " + measured.file + ", behind InitialAngle",
                              "it lists one for each projection"});
  std::ranges::copy(measured.assumptions, std::back_inserter(scan.assumptions));
  return {measured.file, std::move(angles)};
}

}  // namespace

AnglesOfFrames nikon_angles(const std::string& path, const std::string& name,
                            const std::vector<double>& nominal_deg) {
  if (fs::path(name).has_parent_path())
    throw InputError("Name is " + name + ", which leads to another folder", path,
                     "give the name of the scan alone");
  return [=](const FrameNumbers& numbers, RawScan& scan) -> std::vector<double> {
    const fs::path folder = folder_of(path);
    const NikonLists lists = lists_in(folder, name);
    TakenList taken;
    const auto take = [&](const std::string& file, bool called_as_scan) {
      const MeasuredAngles measured(folder, file);
      if (taken.angles.empty())
        taken = take_list(measured, numbers, nominal_deg, called_as_scan, scan);
      else
        compare_lists(taken.file, taken.angles, measured, numbers, scan.notes);
    };
    for (const std::string& own : lists.own) take(own, true);
    const std::size_t others = lists.others.size();
    if (others == 1) take(lists.others.front(), false);
    if (others == 1 && taken.file == lists.others.front())
      scan.notes.push_back(taken.file + " is not called as the scan, " + name +
                           ", but is the only list of angles beside it and was taken: if it is of "
                           "another scan, move it to another folder");
    if (others > 1)
      scan.notes.push_back(joined(lists.others) +
                           " may list the angles too, but were not read, since they are not called "
                           "as the scan: --angles takes one of them");
    for (double& angle : taken.angles) angle += nominal_deg.front();
    return taken.angles;
  };
}

}  // namespace gantry
