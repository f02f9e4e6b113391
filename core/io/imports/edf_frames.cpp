#include "core/io/imports/edf_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/arrays/edf_file.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/file_frames.hpp"
#include "core/io/imports/frame_files.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> extensions = {".edf"};
constexpr const char* motor_of_rotation = "srot";

std::string field(const EdfFrame& frame, const char* key) {
  const auto found = frame.fields.find(key);
  return found == frame.fields.end() ? std::string() : found->second;
}

template <class Item>
std::vector<Item> items_of(const std::string& text) {
  std::istringstream stream(text);
  stream.imbue(std::locale::classic());
  return {std::istream_iterator<Item>(stream), {}};
}

/// Returns a reader that finds the frames in a file once, when it first looks at it.
PageReader edf_reader() {
  const auto known = std::make_shared<std::map<std::string, std::vector<EdfFrame>>>();
  PageReader reader;
  reader.look = [known](const std::string& path) {
    std::vector<EdfFrame> frames = read_edf_headers(path);
    for (EdfFrame& frame : frames) frame.fields.clear();
    const PageSize size{frames[0].columns, frames[0].rows, static_cast<int>(frames.size())};
    (*known)[path] = std::move(frames);
    return size;
  };
  reader.read = [known](const std::string& path, int page, const PageSize& size,
                        std::span<float> values) {
    const EdfFrame& frame = known->at(path)[static_cast<std::size_t>(page)];
    if (frame.columns != size.columns || frame.rows != size.rows)
      throw InputError("has frames of different sizes: frame " + std::to_string(page + 1), path,
                       "give frames of one size");
    read_edf_frame(frame, values);
  };
  return reader;
}

/// Returns the position of the motor that turns the object, degrees; nothing where none is stated.
std::optional<double> rotation_of(const EdfFrame& frame) {
  const auto names = items_of<std::string>(field(frame, "motor_mne"));
  const auto positions = items_of<double>(field(frame, "motor_pos"));
  const auto found = std::ranges::find(names, motor_of_rotation);
  const auto index = static_cast<std::size_t>(found - names.begin());
  return index < std::min(names.size(), positions.size()) ? std::optional(positions[index])
                                                          : std::nullopt;
}

/// Returns the angles that all headers state; nothing where one does not, or none differ.
std::vector<double> angles_in_headers(const std::vector<std::string>& paths) {
  std::vector<double> angles;
  for (const std::string& path : paths)
    for (const EdfFrame& frame : read_edf_headers(path)) {
      const auto angle = rotation_of(frame);
      if (!angle || !std::isfinite(*angle)) return {};
      angles.push_back(*angle);
    }
  const auto [low, high] = std::ranges::minmax(angles);
  return low < high ? angles : std::vector<double>{};
}

/// Sets the size of a cell where the header states one, in m (PSize_1, as BSL and SAXS files do).
void take_pixel_size(const EdfFrame& frame, RawScan& scan) {
  const auto across = items_of<double>(field(frame, "psize_1")),
             down = items_of<double>(field(frame, "psize_2"));
  constexpr double largest_m = 0.01;  // what is larger is in another unit
  if (across.empty() || !(across[0] > 0 && across[0] < largest_m)) return;
  scan.pixel_mm = 1000 * across[0];
  scan.assumptions.push_back({"size of a cell", format_param(scan.pixel_mm) + " mm",
                              "PSize_1 in the headers, taken as m"});
  if (!down.empty() && std::abs(down[0] - across[0]) > 1e-6 * across[0])
    scan.notes.push_back("the headers contradict square cells: PSize_1 is " +
                         format_param(across[0]) + ", PSize_2 is " + format_param(down[0]) +
                         "; the first was taken");
}

RawScan read_edf(const ImportRequest& request) {
  RawScan scan;
  const PageReader reader = edf_reader();
  // Filled while the scan is read; its assumptions are made after those of the names.
  bool uses_headers = false;
  const auto in_headers = [&](const std::vector<std::string>& paths) {
    std::vector<double> angles = angles_in_headers(paths);
    uses_headers = !angles.empty();
    return angles;
  };
  std::error_code error;
  if (fs::is_directory(request.path, error)) {
    scan = read_frame_folder(request, extensions, reader, in_headers);
  } else {
    scan.projections = frames_in_files({request.path}, reader, scan.notes);
    scan.flats = frames_in_files(request.flats, reader, scan.notes);
    scan.darks = frames_in_files(request.darks, reader, scan.notes);
    scan.angles_deg = angles_for(request, scan.projections->frames(), {}, scan.assumptions,
                                 [&] { return in_headers({request.path}); });
  }
  if (uses_headers)
    scan.assumptions.push_back(
        {"angles", "positions of the motor srot, degrees", "the headers state them"});
  // The name of the first frame is that of its file.
  take_pixel_size(read_edf_headers(scan.projections->name(0))[0], scan);
  return scan;
}

}  // namespace

ImportFormat edf_frames_format() {
  ImportFormat format;
  format.key = "edf_frames";
  format.label = "EDF (ESRF)";
  format.extensions = extensions;
  format.is_folder = true;
  format.magic = [](std::string_view start) {
    return begins_edf(start) ? Certainty::certain : Certainty::none;
  };
  format.judge_folder = [](const std::string& folder) {
    return holds_frame_files(folder, extensions) ? Certainty::named : Certainty::none;
  };
  format.read = read_edf;
  return format;
}

}  // namespace gantry
