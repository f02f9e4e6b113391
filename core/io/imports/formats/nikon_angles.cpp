#include "core/io/imports/formats/nikon_angles.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/read_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

namespace gantry {

namespace {

namespace fs = std::filesystem;

constexpr int most_projections = 1'000'000;
constexpr std::size_t largest_text = std::size_t{1} << 26;

/// Returns the first two numbers of a line, "17  1.83  34.2" or "Proj 17: 1.83".
std::optional<std::pair<int, double>> numbered_angle(std::string_view line) {
  constexpr std::string_view separators = " \t\r,;:";
  std::optional<int> index;
  for (std::size_t at = line.find_first_not_of(separators); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(separators, at), line.size());
    const char *first = line.data() + at, *last = line.data() + end;
    double value = 0;
    if (const auto [rest, error] = std::from_chars(first, last, value);
        error == std::errc{} && rest == last && std::isfinite(value)) {
      if (index) return std::pair(*index, value);
      if (value != std::floor(value) || value < 0 || value > most_projections) return std::nullopt;
      index = static_cast<int>(value);
    }
    at = line.find_first_not_of(separators, end);
  }
  return std::nullopt;
}

/// Whether a line of the head says that angles are in radians: "Proj  Angle(rad)".
bool is_headed_in_radians(std::string_view line) {
  const std::string head = lower_case(std::string(line));
  return head.find("(rad") != std::string::npos || head.find("[rad") != std::string::npos;
}

/// The angles in a text of numbered lines, in any order.
struct MeasuredAngles {
  std::string file;                 ///< its name
  std::map<int, double> of_number;  ///< by the numbers of the lines
  int first = 1;                    ///< the number of the line of the first projection
  bool is_in_radians = false;       ///< in the file, by its head; `of_number` is in degrees

  MeasuredAngles(const fs::path& folder, std::string name) : file(std::move(name)) {
    const std::string text = read_text_file((folder / file).string(), largest_text);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = std::string_view(text).substr(at, end - at);
      if (const auto found = numbered_angle(line))
        of_number[found->first] = found->second;
      else if (of_number.empty() && is_headed_in_radians(line))
        is_in_radians = true;
      else if (of_number.size() == 1 && line.find_first_not_of(" \t\r") != std::string_view::npos)
        of_number.clear();  // a line of the head looked like one
      at = end + 1;
    }
    first = of_number.contains(0) ? 0 : 1;
    if (is_in_radians)
      for (auto& [number, angle] : of_number) angle = degrees(angle);
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

/// Says that measured angles are far from the nominal ones.
void compare(const std::string& file, const std::vector<double>& measured,
             const FrameNumbers& numbers, const std::vector<double>& nominal_deg,
             std::vector<std::string>& notes) {
  const auto nominal = [&](std::size_t frame) {
    return nominal_deg[static_cast<std::size_t>(numbers.position(static_cast<int>(frame)))];
  };
  double largest = 0;
  for (std::size_t i = 0; i < measured.size(); ++i)
    largest = std::max(largest, std::abs(measured[i] - measured[0] - nominal(i) + nominal(0)));
  const double step = nominal_deg.size() > 1 ? std::abs(nominal_deg[1] - nominal_deg[0]) : 0;
  if (largest > 0.5 * step)
    notes.push_back("the angles in " + file + " differ by up to " +
                    format_param(to_digits(largest, 6)) +
                    " degrees from AngularStep; those of the file were taken");
}

/// Says that a list was left out, which lacks the lines of some images.
void note_missing_lines(const std::string& file, const std::vector<std::string>& missing,
                        int frames, std::vector<std::string>& notes) {
  notes.push_back(file + " lists no angle for " +
                  (missing.size() == 1
                       ? missing.front()
                       : std::to_string(missing.size()) + " of the " + std::to_string(frames) +
                             " images, " + missing.front() + " to " + missing.back() + ",") +
                  " and was left out: AngularStep tells the angles");
}

/// Says that a further list differs from the one that was taken, which has `angles`.
void compare_lists(const std::string& taken, const std::vector<double>& angles,
                   const MeasuredAngles& further, const FrameNumbers& numbers,
                   std::vector<std::string>& notes) {
  constexpr double most_apart_deg = 0.01;
  const auto [others, missing] = further.of(numbers);
  if (!missing.empty()) return;
  double largest = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    largest = std::max(largest, std::abs(others[i] - others[0] - angles[i] + angles[0]));
  if (largest > most_apart_deg)
    notes.push_back("the angles in " + further.file + " differ by up to " +
                    format_param(to_digits(largest, 6)) + " degrees from those in " + taken +
                    ", which were taken: remove the list that is wrong");
}

}  // namespace

AnglesOfFrames nikon_angles(const std::string& path, const std::string& name,
                            const std::vector<double>& nominal_deg) {
  if (fs::path(name).has_parent_path())
    throw InputError("Name is " + name + ", which leads to another folder", path,
                     "give the name of the scan alone");
  return [=](const FrameNumbers& numbers, RawScan& scan) -> std::vector<double> {
    const fs::path folder = folder_of(path);
    std::vector<double> chosen;
    std::string taken;
    for (const std::string& file :
         {std::string("_ctdata.txt"), name + "_ctdata.txt", name + ".ang"}) {
      std::error_code error;
      if (!fs::is_regular_file(folder / file, error)) continue;
      const MeasuredAngles measured(folder, file);
      if (!chosen.empty()) {
        compare_lists(taken, chosen, measured, numbers, scan.notes);
        continue;
      }
      auto [angles, missing] = measured.of(numbers);
      if (!missing.empty()) {
        note_missing_lines(file, missing, numbers.frames, scan.notes);
        continue;
      }
      if (measured.is_in_radians)
        scan.notes.push_back(file + " states its angles in radians: they were converted");
      note_further_lines(measured, static_cast<int>(nominal_deg.size()), scan.notes);
      compare(file, angles, numbers, nominal_deg, scan.notes);
      for (double& angle : angles) angle += nominal_deg.front();
      scan.assumptions.push_back(
          {"angles", "from " + file + ", behind InitialAngle", "it lists one for each projection"});
      chosen = std::move(angles);
      taken = file;
    }
    return chosen;
  };
}

}  // namespace gantry
