#include "core/io/imports/formats/edf_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/arrays/edf_file.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/file_frames.hpp"
#include "core/io/imports/formats/esrf_info.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>

namespace gantry {

namespace {

constexpr const char* format_key = "edf_frames";
const std::vector<std::string> extensions = {".edf"};
/// Motors that turn the object, by their names at beamlines.
constexpr std::array<const char*, 6> motors_of_rotation = {"srot", "hrsrot", "diffrz",
                                                           "hrrz", "rz",     "rot"};

/// The frames of files, whose headers are read once.
struct EdfFiles {
  std::map<std::string, std::vector<EdfFrame>> frames_of;
  std::string first;  ///< path of the file that was looked at first

  /// Reads the headers of a file.
  const std::vector<EdfFrame>& look(const std::string& path) {
    if (first.empty()) first = path;
    return frames_of[path] = read_edf_headers(path);
  }
};

/// Returns the words of a field of a header; none where it is missing.
std::vector<std::string> words_of(const EdfFrame& frame, const char* key) {
  const auto found = frame.fields.find(key);
  if (found == frame.fields.end()) return {};
  std::istringstream stream(found->second);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Returns the number that a word of a field is; not a number where there is no such word, or it is
/// none. Its neighbours do not matter: of motors without a position the headers say "nan".
double number_in(const EdfFrame& frame, const char* key, std::size_t index) {
  const std::vector<std::string> words = words_of(frame, key);
  return index < words.size() ? number_of_word(words[index]).value_or(std::nan("")) : std::nan("");
}

/// Returns a reader that finds the frames in a file once, when it first looks at it, and keeps them
/// in `known`.
PageReader edf_reader(const std::shared_ptr<EdfFiles>& known) {
  PageReader reader;
  reader.look = [known](const std::string& path) {
    const std::vector<EdfFrame>& frames = known->look(path);
    const NumberType type = frames[0].numbers.type;
    return PageSize{frames[0].columns, frames[0].rows, static_cast<int>(frames.size()),
                    std::to_string(8 * bytes_of(type)) + "-bit " +
                        (type >= NumberType::float16 ? "floating-point" : "whole") + " numbers"};
  };
  reader.read = [known](const std::string& path, int page, const PageSize& size,
                        std::span<float> values) {
    const EdfFrame& frame = known->frames_of.at(path)[static_cast<std::size_t>(page)];
    if (frame.columns != size.columns || frame.rows != size.rows)
      throw InputError("has frames of different sizes: frame " + std::to_string(page + 1), path,
                       "give frames of one size");
    read_edf_frame(frame, values);
  };
  reader.format = format_key;
  reader.count = [](const std::string& path) {
    return static_cast<int>(read_edf_headers(path).size());
  };
  return reader;
}

/// The positions of a motor in all headers, degrees.
struct MotorPositions {
  std::string motor;
  std::vector<double> angles;

  double arc() const {
    const auto [low, high] = std::ranges::minmax(angles);
    return high - low;
  }
};

/// Returns the position of a motor, degrees; not a number where none is stated.
double position_of(const char* motor, const EdfFrame& frame) {
  const std::vector<std::string> names = words_of(frame, "motor_mne");
  const auto found = std::ranges::find_if(
      names, [&](const std::string& name) { return lower_case(name) == motor; });
  return number_in(frame, "motor_pos", static_cast<std::size_t>(found - names.begin()));
}

/// Returns the motors that may have turned the object: all headers state their positions, which
/// differ. The one that went farthest comes first.
std::vector<MotorPositions> motors_that_turn(const EdfFiles& files,
                                             const std::vector<std::string>& paths) {
  std::vector<MotorPositions> found;
  for (const char* motor : motors_of_rotation) {
    MotorPositions one{motor, {}};
    for (const std::string& path : paths)
      for (const EdfFrame& frame : files.frames_of.at(path))
        one.angles.push_back(position_of(motor, frame));
    const bool are_numbers =
        std::ranges::all_of(one.angles, [](double angle) { return std::isfinite(angle); });
    if (are_numbers && one.arc() > 0) found.push_back(std::move(one));
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &MotorPositions::arc);
  return found;
}

/// Says of which motor the positions were taken as the angles, and which other ones turned.
void say_motor(const std::vector<MotorPositions>& motors, RawScan& scan) {
  if (motors.empty()) return;
  const std::string taken = motors.front().motor;
  scan.assumptions.push_back(
      {"angles", "positions of the motor " + taken + ", degrees", "the headers state them"});
  if (motors.size() == 1) return;
  const auto text = [](const MotorPositions& one) {
    return one.motor + " (over " + format_param(to_digits(one.arc(), 3)) + " degrees)";
  };
  scan.notes.push_back("the headers state several motors that may turn the object: of " +
                       joined(motors, text) + ", the positions of " + taken +
                       ", which went farthest, were taken as the angles; --angles gives others");
}

/// Sets the size of a cell where the header states one, in m (PSize_1, as BSL and SAXS files do).
void take_pixel_size(const EdfFrame& frame, RawScan& scan) {
  const double across = number_in(frame, "psize_1", 0), down = number_in(frame, "psize_2", 0);
  constexpr double largest_m = 0.01;  // what is larger is in another unit
  if (!(across > 0 && across < largest_m)) return;
  scan.pixel_mm = 1000 * across;
  scan.assumptions.push_back({"size of a cell", format_param(scan.pixel_mm) + " mm",
                              "PSize_1 in the headers, taken as m"});
  if (std::abs(down - across) > 1e-6 * across)
    scan.notes.push_back("the headers contradict square cells: PSize_1 is " + format_param(across) +
                         ", PSize_2 is " + format_param(down) + "; the first was taken");
}

RawScan read_edf(const ImportRequest& request) {
  const auto known = std::make_shared<EdfFiles>();
  // Filled while the scan is read; its assumptions are made after those of the names.
  std::vector<MotorPositions> motors;
  FrameCustom custom;
  custom.angles = [&](const std::vector<std::string>& paths) {
    motors = motors_that_turn(*known, paths);
    return motors.empty() ? std::vector<double>{} : motors.front().angles;
  };
  std::error_code error;
  const EsrfInfo info = std::filesystem::is_directory(request.path, error)
                            ? read_esrf_info(request.path)
                            : EsrfInfo{};
  custom.stated = info.frames;
  RawScan scan = read_frames(request, extensions, edf_reader(known), custom);
  say_motor(motors, scan);
  take_pixel_size(known->frames_of.at(known->first)[0], scan);
  take_esrf_info(info, scan);
  for (auto& [path, frames] : known->frames_of)  // the frames stay, for reading
    for (EdfFrame& frame : frames) frame.fields.clear();
  return scan;
}

}  // namespace

ImportFormat edf_frames_format() {
  ImportFormat format = format_of_images(format_key, "EDF (ESRF)", extensions);
  format.magic = [](std::string_view start) {
    return begins_edf(start) ? Certainty::certain : Certainty::none;
  };
  format.read = read_edf;
  format.frames = [](const FramesBeside& beside) {
    return frames_in_files({beside.path}, edf_reader(std::make_shared<EdfFiles>()), beside.notes);
  };
  return format;
}

}  // namespace gantry
