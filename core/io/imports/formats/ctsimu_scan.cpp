#include "core/io/imports/formats/ctsimu_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/base/params.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/beside_frames.hpp"
#include "core/io/imports/folders/frame_files.hpp"
#include "core/io/imports/formats/ctsimu_scenario.hpp"
#include "core/io/imports/formats/ctsimu_values.hpp"
#include "core/io/imports/formats/raw_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr int most_cells = 65535, most_frames = 1'000'000;
constexpr const char* metadata_type = "CTSimU Metadata";

// ---- Names of files

/// Returns a path beside a file, which must lie in `folder` or below: a file from elsewhere must
/// not read just any file of this machine.
std::string path_beside(const JsonFields& fields, const std::string& key, const fs::path& folder) {
  const std::string name = fields.text(key, "name a file");
  const fs::path path = folder_of(fields.where()) / name;
  if (name.empty() || has_control_characters(name)) fields.fail(key, "is no name", "name a file");
  if (!lies_within(path, folder) && !allows_data_outside())
    fields.fail(key, "lies outside the folder (" + path.string() + ")",
                "move it there, or allow it by GANTRY_ALLOW_OUTSIDE=1");
  return path.string();
}

/// A name with a pattern "%04d" in its place; without a pattern, the name itself.
std::string numbered_name(const std::string& pattern, int number) {
  const std::size_t from = pattern.find('%', pattern.find_last_of('/') + 1);  // not in a folder
  const std::size_t to = from == std::string::npos ? from : pattern.find('d', from);
  if (to == std::string::npos || to - from > 3) return pattern;
  const std::string digits = pattern.substr(from + 1, to - from - 1);
  const bool is_width = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_width) return pattern;
  std::string text = std::to_string(number);
  const std::size_t width = digits.empty() ? 0 : static_cast<std::size_t>(std::stoi(digits));
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return pattern.substr(0, from) + text + pattern.substr(to + 1);
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Returns the files of a pattern, from the number 0, or 1 where there is no 0; or the only one.
std::vector<std::string> files_of(const std::string& pattern, int count) {
  if (numbered_name(pattern, 0) == pattern) return {pattern};
  const int first = is_file(numbered_name(pattern, 0)) ? 0 : 1;
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) paths.push_back(numbered_name(pattern, first + i));
  return paths;
}

// ---- Frames

bool is_tiff(const std::string& path) {
  return has_extension(path, ".tif") || has_extension(path, ".tiff");
}

RawLayout layout_in(const JsonFields& projections) {
  constexpr std::array<std::pair<const char*, NumberType>, 10> types = {
      {{"uint8", NumberType::uint8},
       {"int8", NumberType::int8},
       {"uint16", NumberType::uint16},
       {"int16", NumberType::int16},
       {"uint32", NumberType::uint32},
       {"int32", NumberType::int32},
       {"uint64", NumberType::uint64},
       {"int64", NumberType::int64},
       {"float32", NumberType::float32},
       {"float64", NumberType::float64}}};
  std::vector<std::string> names;
  for (const auto& [name, type] : types) names.emplace_back(name);
  const JsonFields size = projections.object("dimensions", "give x and y");
  RawLayout layout;
  layout.columns = ctsimu_whole(size, "x", 1, most_cells);
  layout.rows = ctsimu_whole(size, "y", 1, most_cells);
  layout.numbers.type =
      types[static_cast<std::size_t>(projections.choice("datatype", names))].second;
  const bool has_order = projections.has("byteorder") && !projections.at("byteorder", {}).is_null();
  layout.numbers.big_endian = has_order && projections.choice("byteorder", {"little", "big"}) == 1;
  if (projections.has("headersize") && projections.at("headersize", {}).is_object()) {
    constexpr int longest = 1 << 30;
    const JsonFields header = projections.object("headersize", {});
    layout.file_header_bytes = static_cast<std::uint64_t>(header.integer("file", 0, longest, 0));
    layout.frame_header_bytes = static_cast<std::uint64_t>(header.integer("image", 0, longest, 0));
  }
  return layout;
}

/// Opens the frames that an object names by "filename" and "number"; null where it names none.
std::shared_ptr<const FrameSource> frames_in(const JsonFields& fields, const RawLayout& layout,
                                             std::vector<std::string>& notes) {
  if (!fields.has("filename") || fields.at("filename", {}).is_null()) return nullptr;
  const int count = fields.integer("number", 0, most_frames);
  if (count == 0) return nullptr;
  const std::string pattern = path_beside(fields, "filename", folder_of(fields.where()));
  const std::vector<std::string> paths = files_of(pattern, count);
  const auto frames = is_tiff(pattern)
                          ? tiff_frames_of(paths, notes)
                          : raw_frames_of(paths, paths.size() == 1 ? count : 1, layout, notes);
  if (frames->frames() != count)
    throw InputError(std::to_string(frames->frames()) + " frames are there, but " +
                         fields.path_of("number") + " is " + std::to_string(count),
                     pattern, "correct the metadata or the files");
  return frames;
}

/// Opens flats or darks, `name` as in the metadata, unless the projections are corrected by them or
/// the request names others.
std::shared_ptr<const FrameSource> references_in(const JsonFields& projections,
                                                 const std::string& name, FrameRole role,
                                                 const ImportRequest& request,
                                                 const RawLayout& layout, RawScan& scan) {
  const auto& given = role == FrameRole::flats ? request.flats : request.darks;
  if (!given.empty())  // the request does not say how many frames a file holds
    return holds_frames(given.front()) ? given_frames_of(given, role, request, scan.notes)
                                       : raw_frames_of(given, 0, layout, scan.notes);
  if (!projections.has(name) || !projections.at(name, {}).is_object()) return nullptr;
  const JsonFields fields = projections.object(name, {});
  if (fields.flag("projections_corrected", false)) {
    scan.assumptions.push_back({name, "none", "the projections are corrected by them"});
    return nullptr;
  }
  return frames_in(fields, layout, scan.notes);
}

// ---- Metadata and scenario

/// Returns the metadata beside a scenario, or in a folder directly below, whose frames are there.
std::string metadata_of(const std::string& scenario) {
  std::vector<std::string> found;
  std::error_code error;
  constexpr auto options = fs::directory_options::skip_permission_denied;
  for (auto at = fs::recursive_directory_iterator(folder_of(scenario), options, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() >= 1) at.disable_recursion_pending();
    const std::string path = at->path().string();
    if (!path.ends_with("metadata.json") || !begins_ctsimu_json(file_start(path))) continue;
    try {
      const nlohmann::json json = read_ctsimu_json(path);
      const JsonFields projections =
          JsonFields(json, path).object("output", {}).object("projections", {});
      const std::string pattern = path_beside(projections, "filename", folder_of(path));
      if (is_file(files_of(pattern, 1).front())) found.push_back(path);
    } catch (const InputError&) {
      continue;  // metadata of something else
    }
  }
  if (found.size() == 1) return found.front();
  std::ranges::sort(found);
  throw InputError(found.empty()
                       ? "names no projections, and there are no metadata of them beside it"
                       : "has several metadata beside it: " + joined(found),
                   scenario, "give the file of metadata, such as NAME_metadata.json");
}

/// Returns the geometry of the scenario that the metadata name; nothing where they name none.
std::optional<StatedGeometry> scenario_of(const JsonFields& top) {
  if (!top.has("acquisition_geometry")) return std::nullopt;
  const JsonFields geometry = top.object("acquisition_geometry", {});
  constexpr const char* key = "path_to_CTSimU_JSON";
  if (!geometry.has(key) || geometry.at(key, {}).is_null()) return std::nullopt;
  // CTSimU writes the metadata to a folder of their own below that of the scenario, which they name
  // as "../scan.json": the folder above is allowed too.
  const fs::path folder = fs::absolute(folder_of(top.where())).parent_path();
  return read_ctsimu_scenario(path_beside(geometry, key, folder));
}

/// Returns the size of a cell in the metadata, {across, along} in mm; nothing where they state
/// none.
std::optional<std::array<double, 2>> cell_mm(const JsonFields& projections) {
  if (!projections.has("pixelsize") || !projections.at("pixelsize", {}).is_object())
    return std::nullopt;
  const JsonFields size = projections.object("pixelsize", {});
  return std::array{ctsimu_length_mm(size, "x"), ctsimu_length_mm(size, "y")};
}

/// Notes where the metadata state other cells than the scenario, whose cells are taken.
void compare_cells(const std::array<double, 2>& stated, const ScanSpec& scenario,
                   const std::string& field, std::vector<std::string>& notes) {
  const auto compare = [&](const char* axis, double in_metadata, double taken) {
    if (std::abs(in_metadata - taken) > 1e-6 * taken)
      notes.push_back(field + axis + " is " + format_param(in_metadata) +
                      " mm, but the scenario's cells are " + format_param(taken) +
                      " mm wide, which was taken");
  };
  compare(".x", stated[0], scenario.column_pitch_mm);
  compare(".y", stated[1], scenario.row_pitch_mm);
}

void take_geometry(const ImportRequest& request, const JsonFields& top,
                   const JsonFields& projections, RawScan& scan) {
  const auto cells = cell_mm(projections);
  if (cells) scan.pixel_mm = (*cells)[0];
  if (!request.geometry.empty()) return;  // the scenario may be one that cannot be read
  const int frames = scan.projections->frames();
  const std::string field = projections.path_of("pixelsize");
  std::optional<StatedGeometry> stated = scenario_of(top);
  if (stated) {
    std::ranges::copy(stated->assumptions, std::back_inserter(scan.assumptions));
    std::ranges::copy(stated->notes, std::back_inserter(scan.notes));
    if (cells) compare_cells(*cells, stated->spec, field, scan.notes);
    scan.geometry = std::move(stated->spec);
  } else if (cells && request.pixel_mm <= 0 && std::abs((*cells)[1] / (*cells)[0] - 1) > 1e-6) {
    scan.notes.push_back(field + ".y is " + format_param((*cells)[1]) + " mm, but " + field +
                         ".x, " + format_param((*cells)[0]) + " mm, was taken for both");
  }
  scan.angles_deg = angles_for(request, {frames}, scan.assumptions, [&] {
    std::vector<double> angles;
    if (!scan.geometry) return angles;
    for (const double angle : scan.geometry->view_angles_rad) angles.push_back(degrees(angle));
    return angles;
  });
}

RawScan read_ctsimu(const ImportRequest& request) {
  std::string path = request.path;
  nlohmann::json json = read_ctsimu_json(path);
  if (json["file"]["file_type"] != metadata_type) {
    path = metadata_of(path);
    json = read_ctsimu_json(path);
  }
  const JsonFields top(json, path);
  const JsonFields projections = top.object("output", "name the files of the scan")
                                     .object("projections", "name the projections");
  RawScan scan;
  if (path != request.path)
    scan.assumptions.push_back(
        {"metadata", fs::path(path).filename().string(), "the only ones beside the scenario"});
  const RawLayout layout = layout_in(projections);
  scan.projections = frames_in(projections, layout, scan.notes);
  if (scan.projections == nullptr)
    throw InputError("names no projections", path, "give output.projections.filename and number");
  scan.flats = references_in(projections, "flat_field", FrameRole::flats, request, layout, scan);
  scan.darks = references_in(projections, "dark_field", FrameRole::darks, request, layout, scan);
  if (projections.has("max_intensity") && projections.at("max_intensity", {}).is_number())
    scan.take_white_level(projections.number("max_intensity"), "max_intensity");
  take_geometry(request, top, projections, scan);
  return scan;
}

}  // namespace

ImportFormat ctsimu_scan_format() {
  ImportFormat format;
  format.key = "ctsimu_scan";
  format.label = "CTSimU scan";
  format.extensions = {".json"};
  format.is_header = true;
  format.magic = [](std::string_view start) {
    return begins_ctsimu_json(start) ? Certainty::certain : Certainty::none;
  };
  format.read = read_ctsimu;
  return format;
}

}  // namespace gantry
