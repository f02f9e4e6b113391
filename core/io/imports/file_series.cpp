#include "core/io/imports/file_series.hpp"

#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/file_numbers.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// A file with the place of its number, from 0, and how many frames it holds.
struct NumberedFile {
  std::string path;
  int position = 0, frames = 1;
};

/// Returns "0012, 0040 to 0043 and 0050", with so many digits at least.
std::string ranges_text(const std::vector<int>& numbers, std::size_t digits) {
  std::vector<std::string> parts;
  const auto text_of = [digits](int number) {
    const std::string text = std::to_string(number);
    return std::string(digits - std::min(digits, text.size()), '0') + text;
  };
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    parts.push_back(first == last ? text_of(numbers[first])
                                  : text_of(numbers[first]) + " to " + text_of(numbers[last]));
    first = last + 1;
    if (parts.size() == 8 && first < numbers.size()) {
      parts.emplace_back("more");
      break;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

/// Returns how many digits the name of a file has for its number.
std::size_t digits_of(const fs::path& path, int number) {
  const std::string stem = path.stem().string();
  for (std::size_t end = stem.size(); end > 0;) {
    if (!is_digit(stem[end - 1])) {
      --end;
      continue;
    }
    std::size_t begin = end;
    while (begin > 0 && is_digit(stem[begin - 1])) --begin;
    std::string_view digits = std::string_view(stem).substr(begin, end - begin);
    if (take_number(digits) == number) return end - begin;
    end = begin;
  }
  return 0;
}

/// Returns the note on the numbers between those of successive files, of which each has `frames`;
/// nothing without any. `kind`: of what the numbers are, "frame". `given`: places, rising, that are
/// not missing, since files with these numbers are flats or darks.
std::vector<std::string> missing_between(std::span<const NumberedFile> files, int first_number,
                                         const std::string& kind, std::span<const int> given) {
  constexpr std::size_t most = 100000;
  std::vector<int> missing;
  std::size_t first = 0, last = 0;  // the files behind the first and the last gap
  for (std::size_t i = 1; i < files.size(); ++i) {
    const int expected = files[i - 1].position + files[i - 1].frames;
    const std::size_t before = missing.size();
    for (int at = expected; at < files[i].position && missing.size() < most; ++at)
      if (!std::ranges::binary_search(given, at)) missing.push_back(first_number + at);
    if (missing.size() == before) continue;
    last = i;
    if (first == 0) first = i;
  }
  if (missing.empty()) return {};
  const NumberedFile& before = files[first - 1];
  const std::size_t digits = digits_of(before.path, first_number + before.position);
  return {kind + (missing.size() == 1 ? " " : "s ") + ranges_text(missing, digits) +
          (missing.size() == 1 ? " is missing" : " are missing") + " between " +
          fs::path(before.path).filename().string() + " and " +
          fs::path(files[last].path).filename().string()};
}

/// Whether the numbers of files of several frames are those of their first frames.
bool count_frames(std::span<const NumberedFile> files) {
  const int of_first = files.front().frames;
  bool is_any_next = false, are_multiples = true;
  for (std::size_t i = 1; i < files.size(); ++i) {
    const int step = files[i].position - files[i - 1].position, frames = files[i - 1].frames;
    if (step < frames) return false;
    is_any_next = is_any_next || (step == frames && frames > 1);
    are_multiples = are_multiples && frames == of_first && step % frames == 0;
  }
  return is_any_next || (are_multiples && of_first > 1);
}

/// Returns the files that hold frames.
std::vector<NumberedFile> files_with_frames(const FrameFiles& files,
                                            std::span<const std::size_t> file_of_frame) {
  std::vector<NumberedFile> found;
  for (std::size_t i = 0; i < file_of_frame.size(); ++i) {
    const std::size_t index = file_of_frame[i];
    if (i > 0 && index == file_of_frame[i - 1])
      ++found.back().frames;
    else
      found.push_back({files.projections[index], files.positions[index]});
  }
  return found;
}

/// Places the frames of files, of which each takes `frames_per_step` for a step of the numbers.
void place(std::span<const NumberedFile> files, int step, int frames_per_step,
           FramePlaces& places) {
  for (const NumberedFile& file : files)
    for (int k = 0; k < file.frames; ++k)
      places.positions.push_back(file.position / step * frames_per_step + k);
}

/// Returns the projections, each as a file of one frame.
std::vector<NumberedFile> numbered_files(const FrameFiles& files) {
  std::vector<NumberedFile> all;
  for (std::size_t i = 0; i < files.positions.size(); ++i)
    all.push_back({files.projections[i], files.positions[i]});
  return all;
}

/// Returns the greatest step of numbers that all files share where, counted by ones, more files
/// would be missing than were read; else 1.
int step_of_numbers(const std::vector<int>& positions, std::size_t read) {
  if (static_cast<std::size_t>(positions.back()) < 2 * read) return 1;
  return std::max(1, common_step(positions));
}

/// Returns "a_1.tif holds 10 frames and a_2.tif 9".
std::string held_text(const NumberedFile& one, const NumberedFile& other) {
  const auto name = [](const NumberedFile& file) {
    return fs::path(file.path).filename().string();
  };
  return name(one) + " holds " + std::to_string(one.frames) + " frames and " + name(other) + " " +
         std::to_string(other.frames);
}

/// Places the frames of files whose numbers count the files.
FramePlaces places_by_files(const FrameFiles& files, std::span<const NumberedFile> read) {
  FramePlaces places;
  const int frames = read.front().frames, step = step_of_numbers(files.positions, read.size()),
            counted = files.positions.back() / step + 1;
  const auto other =
      std::ranges::find_if(read, [&](const NumberedFile& file) { return file.frames != frames; });
  const bool are_alike = other == read.end() || (other + 1 == read.end() && other->frames < frames),
             is_any_missing = static_cast<std::size_t>(counted) != read.size();
  if (step == 1)
    places.notes =
        missing_between(numbered_files(files), files.first_number, "file", files.given_positions);
  if (!is_any_missing) {
    if (!are_alike)
      places.notes.push_back(held_text(read.front(), *other) +
                             ": if frames are missing there, the angles behind them are wrong");
    return places;
  }
  if (!are_alike || static_cast<std::size_t>(counted) > 2 * read.size()) {
    places.problem = are_alike
                         ? "more of its files are missing, by their numbers, than are there"
                         : "files are missing, and how many frames these held is not known: " +
                               held_text(read.front(), *other);
    return places;
  }
  place(read, step, frames, places);
  places.notes.push_back("a file that is missing or was left out was taken to hold " +
                         std::to_string(frames) + " frames, as the others do");
  if (read.back().position != files.positions.back()) places.all = counted * frames;
  return places;
}

}  // namespace

FramePlaces places_of_frames(const FrameFiles& files, std::span<const std::size_t> file_of_frame) {
  FramePlaces places;
  if (files.positions.empty() || file_of_frame.empty()) return places;
  const std::vector<NumberedFile> read = files_with_frames(files, file_of_frame);
  const bool is_one_each = read.size() == file_of_frame.size();
  if (!is_one_each && (read.size() == 1 || !count_frames(read)))
    return places_by_files(files, read);
  places.notes =
      is_one_each ? missing_frames(files) : missing_between(read, files.first_number, "frame", {});
  place(read, 1, 1, places);
  if (read.back().position != files.positions.back())
    places.all = files.positions.back() + read.front().frames;
  return places;
}

std::vector<std::string> missing_frames(const FrameFiles& files) {
  return missing_between(numbered_files(files), files.first_number, "frame", files.given_positions);
}

}  // namespace gantry
