#include "core/io/imports/formats/walnut_scan.hpp"

#include "core/base/error.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "core/io/scans/scan_file.hpp"

#include <array>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr const char* geometry_name = "scan_geom_corrected.geom";
constexpr FrameTurn turn_of_walnuts{90, false, true};

Certainty judge_folder(const std::string& folder) {
  std::error_code error;
  for (const char* name : {geometry_name, "di000000.tif", "io000000.tif"})
    if (!fs::is_regular_file(fs::path(folder) / name, error)) return Certainty::none;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("scan_") && name.ends_with(".tif")) return Certainty::certain;
  }
  return Certainty::none;
}

/// Whether the request says nothing that the vectors beside the images would say as well.
bool takes_vectors(const ImportRequest& request) {
  return !request.turn && request.geometry.empty() && request.angles.empty() && !request.arc_deg &&
         request.source_to_axis_mm <= 0;
}

/// Takes the vectors beside the images, one for each projection, by the numbers of their files
/// where some are missing.
void take_vectors(const std::string& path, RawScan& scan) {
  const FrameSource& frames = *scan.projections;
  StatedGeometry stated =
      read_stated_geometry(path, {.columns = frames.columns(), .rows = frames.rows()});
  ScanSpec& spec = stated.spec;
  const auto choose = [&](auto& of_views) {
    const auto last = static_cast<std::size_t>(scan.positions.empty() ? 0 : scan.positions.back());
    if (of_views.size() != last + 1) return;
    std::remove_reference_t<decltype(of_views)> chosen;
    for (const int position : scan.positions)
      chosen.push_back(of_views[static_cast<std::size_t>(position)]);
    of_views = std::move(chosen);
  };
  choose(spec.view_angles_rad);
  choose(spec.poses);
  scan.begins_lowest |= stated.has_rows_of_files;
  scan.geometry = std::move(spec);
  scan.assumptions.push_back({"geometry", geometry_name, "it lies beside the images"});
  std::ranges::move(stated.assumptions, std::back_inserter(scan.assumptions));
  std::ranges::move(stated.notes, std::back_inserter(scan.notes));
}

RawScan read_walnut(const ImportRequest& request) {
  const std::string vectors = (fs::path(request.path) / geometry_name).string();
  ImportRequest of_images = request;
  const bool takes = takes_vectors(request);
  of_images.turn = request.turn.value_or(turn_of_walnuts);
  if (takes) of_images.geometry = vectors;  // so that nothing else is taken for angles
  RawScan scan = tiff_frames_format().read(of_images);
  if (request.turn) return scan;  // whoever turns the images as well
  turn_frames(turn_of_walnuts, scan);
  scan.assumptions.push_back(
      {"images", "turned clockwise by 90 degrees, the last one first",
       "so the scripts of the walnuts of CWI take them; --turn 0 takes them as they are"});
  if (takes) take_vectors(vectors, scan);
  return scan;
}

}  // namespace

ImportFormat walnut_scan_format() {
  ImportFormat format;
  format.key = "walnut_scan";
  format.label = "walnuts of CWI";
  format.is_folder = true;
  format.judge_folder = judge_folder;
  format.read = read_walnut;
  return format;
}

}  // namespace gantry
