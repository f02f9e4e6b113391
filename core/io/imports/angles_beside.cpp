#include "core/io/imports/angles_beside.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/folders/geometry_beside.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/tables/lines_of_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Whether numbers that nothing calls angles may be such: they rise or fall all the way, or lie at
/// equal distances; and the file is not called as a list of something else.
bool may_be_angles(const std::string& path, std::vector<double> numbers) {
  constexpr std::array<const char*, 8> others = {"time",     "date",        "current",   "dose",
                                                 "exposure", "temperature", "intensity", "count"};
  const std::string name = lower_case(fs::path(path).stem().string());
  if (std::ranges::any_of(others, [&](const char* word) { return has_word(name, word); }))
    return false;
  if (std::ranges::is_sorted(numbers, std::ranges::less_equal()) ||
      std::ranges::is_sorted(numbers, std::ranges::greater_equal()))
    return true;
  constexpr double most_uneven = 0.05;
  std::ranges::sort(numbers);
  const double step = (numbers.back() - numbers.front()) / static_cast<double>(numbers.size() - 1);
  for (std::size_t i = 1; i < numbers.size(); ++i)
    if (std::abs(numbers[i] - numbers[i - 1] - step) > most_uneven * step) return false;
  return step > 0;
}

/// Returns how many lines a list of angles of this scan may have: one for each projection, or for
/// each frame, and one more that closes the turn.
std::set<std::size_t> likely_counts(const FrameNumbers& numbers, const RawScan& scan) {
  const auto frames_of = [](const auto& frames) { return frames ? frames->frames() : 0; };
  const int with_beam = numbers.frames + frames_of(scan.flats) + frames_of(scan.darks);
  std::set<std::size_t> counts;
  for (const int count : {numbers.frames, numbers.all(), numbers.all_places, with_beam})
    for (const int more : {0, 1})
      if (count > 1) counts.insert(static_cast<std::size_t>(count + more));
  return counts;
}

/// Returns what is known of the detector beside its geometry, with 1 mm for a size of a cell that
/// is not known, on which no count of views depends.
KnownDetector known_detector(const ImportRequest& request, const RawScan& scan) {
  KnownDetector known{scan.projections->columns(), scan.projections->rows(), request.pixel_mm};
  if (known.pixel_mm <= 0) known.pixel_mm = scan.pixel_mm > 0 ? scan.pixel_mm : 1;
  return known;
}

/// Returns how a user has the lines of a text taken as angles.
std::string way_to_take(const std::string& text, const std::string& name,
                        const FrameNumbers& numbers, const ImportRequest& request) {
  std::vector<Assumption> unused;
  try {
    angles_in_file(text, numbers, unused, request.angle_column);
    return "--angles " + name + " takes it";
  } catch (const AngleColumnsError&) {
  } catch (const UnclearAnglesError&) {
  } catch (const InputError&) {
    return "there are " + std::to_string(numbers.frames) + " projections";
  }
  return "--angles " + name + " takes it where --angle-column says which column holds the angles";
}

/// Notes the texts that were not read, though they have about as many lines of numbers as there are
/// frames.
void note_unread(const std::vector<std::string>& texts, const FrameNumbers& numbers,
                 const ImportRequest& request, RawScan& scan) {
  const std::set<std::size_t> counts = likely_counts(numbers, scan);
  std::vector<std::string> found;
  for (const std::string& text : texts) {
    const std::string name = fs::path(text).lexically_relative(request.path).string();
    if (is_geometry_file(text, known_detector(request, scan)) && !calls_angles(text))
      continue;  // take_geometry_beside() says why
    const std::size_t lines = lines_of_numbers(text);
    if (!counts.contains(lines)) continue;
    found.push_back(name + " has " + std::to_string(lines) +
                    " lines of numbers and was not read as angles; " +
                    way_to_take(text, name, numbers, request));
  }
  if (!found.empty()) scan.notes.push_back(joined(found));
}

/// Notes the arrays beside the images that are tables of a geometry, but not of the one that was
/// `taken`.
void note_other_tables(const FrameFiles& files, const std::string& taken,
                       const KnownDetector& known, RawScan& scan) {
  std::error_code error;
  for (const std::string& table : files.tables)
    if (!fs::equivalent(table, taken, error) && is_geometry_file(table, known))
      scan.notes.push_back(fs::path(table).filename().string() +
                           " was not read: " + fs::path(taken).filename().string() +
                           " is the geometry; --geometry takes it instead");
}

}  // namespace

std::string take_geometry_beside(const FrameFiles& files, const ImportRequest& request,
                                 RawScan& scan) {
  const KnownDetector known = known_detector(request, scan);
  for (const std::string& table : files.tables)
    if (!is_geometry_file(table, known))
      scan.notes.push_back("1 file was left out: " +
                           fs::path(table).lexically_relative(request.path).string());
  if (!request.geometry.empty()) {
    note_other_tables(files, request.geometry, known, scan);
    return {};
  }
  const auto [found, unfit] = geometries_beside(files, known, scan.counted_projections());
  if (found.empty()) return unfit;
  const std::string others = unfit.empty() ? "" : ", " + unfit;
  const auto name = [](const std::string& path) { return fs::path(path).filename().string(); };
  if (found.size() > 1)
    return joined(found, name) +
           " have each a view for each projection, and none was read; --geometry takes one" +
           others;
  const bool has_angles =
      !request.angles.empty() || !request.angle_column.empty() || request.arc_deg;
  if (has_angles || request.source_to_axis_mm > 0)
    return name(found.front()) + " states the geometry, but was not read, since the " +
           (has_angles ? "angles" : "distances of the source") +
           " were given; --geometry takes it" + others;
  scan.geometry_file = found.front();
  note_other_tables(files, found.front(), known, scan);
  scan.assumptions.push_back({"geometry", name(found.front()),
                              "it lies beside the images and has a view for each projection"});
  for (const std::string& text : files.texts)
    if (names_angles(text) && text != found.front())
      scan.notes.push_back(name(text) + " was not read: " + name(found.front()) +
                           " states the angles; --angles takes it instead");
  return {};
}

std::vector<double> angles_beside(const FrameFiles& files, const FrameNumbers& numbers,
                                  const ImportRequest& request, RawScan& scan) {
  std::vector<std::string> texts = files.texts, unread;
  std::stable_partition(texts.begin(), texts.end(), names_angles);
  for (const std::string& text : texts) try {
      const std::string name = fs::path(text).filename().string();
      std::vector<Assumption> of_text;
      std::vector<double> angles = angles_in_file(text, numbers, of_text, request.angle_column);
      if (request.angle_column.empty() && !names_angles(text) && !calls_angles(text) &&
          !may_be_angles(text, angles)) {
        scan.notes.push_back(name +
                             " has a number for each projection, but nothing calls these angles, "
                             "and they are not like such: --angles takes them all the same");
        continue;
      }
      scan.assumptions.push_back({"angles", "from " + name, "its numbers fit the projections"});
      scan.assumptions.insert(scan.assumptions.end(), of_text.begin(), of_text.end());
      for (const std::string& other : texts)
        if (other != text && names_angles(other))
          scan.notes.push_back(fs::path(other).filename().string() +
                               " is called a list of angles too, but was not read, since " + name +
                               " was: --angles takes it instead");
      return angles;
    } catch (const UnclearAnglesError&) {
      throw;
    } catch (const InputError&) {
      if (names_angles(text)) throw;
      unread.push_back(text);
    }
  if (!request.angle_column.empty())
    throw InputError("no text beside its frames has an angle for each of them in a column \"" +
                         request.angle_column + "\"",
                     request.path, "give the file of the angles (--angles)");
  if (files.others.size() <= FrameFiles::most_others)
    std::ranges::copy(files.others, std::back_inserter(unread));
  note_unread(unread, numbers, request, scan);
  return {};
}

}  // namespace gantry
