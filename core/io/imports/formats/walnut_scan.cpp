#include "core/io/imports/formats/walnut_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/imports/frame_part.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr const char* geometry_name = "scan_geom_corrected.geom";
constexpr FrameTurn turn_of_walnuts{90, false, true};

/// Whether a folder holds the files of one scan: vectors, flats, darks and projections.
bool is_walnut(const fs::path& folder) {
  std::error_code error;
  for (const char* name : {geometry_name, "di000000.tif", "io000000.tif"})
    if (!fs::is_regular_file(folder / name, error)) return false;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("scan_") && name.ends_with(".tif")) return true;
  }
  return false;
}

/// Returns the folders of the scans that a folder is or holds: a walnut was scanned from several
/// heights of the source, tubeV1 to tubeV3.
std::vector<std::string> walnuts_in(const std::string& folder) {
  if (is_walnut(folder)) return {folder};
  std::vector<std::string> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, error); !error && at != fs::directory_iterator();
       at.increment(error))
    if (at->is_directory(error) && is_walnut(at->path())) found.push_back(at->path().string());
  std::ranges::sort(found);
  return found;
}

Certainty judge_folder(const std::string& folder) {
  return walnuts_in(folder).empty() ? Certainty::none : Certainty::certain;
}

/// Whether the request says nothing that the vectors beside the images would say as well.
bool takes_vectors(const ImportRequest& request) {
  return !request.turn && request.geometry.empty() && request.angles.empty() && !request.arc_deg &&
         request.source_to_axis_mm <= 0;
}

RawScan read_walnut(const ImportRequest& request) {
  const std::vector<std::string> walnuts = walnuts_in(request.path);
  if (walnuts.size() > 1)
    throw InputError(
        "holds " + std::to_string(walnuts.size()) + " scans: " +
            joined(walnuts,
                   [](const std::string& one) { return fs::path(one).filename().string(); }),
        request.path, "import one of these folders");
  ImportRequest of_images = request;
  if (!walnuts.empty()) of_images.path = walnuts.front();
  const std::string vectors = (fs::path(of_images.path) / geometry_name).string();
  const bool takes = takes_vectors(request);
  of_images.turn = request.turn.value_or(turn_of_walnuts);
  if (takes) of_images.geometry = vectors;  // so that nothing else is taken for angles
  RawScan scan = tiff_frames_format().read(of_images);
  if (request.turn) return scan;  // whoever turns the images as well
  turn_frames(turn_of_walnuts, scan);
  scan.assumptions.push_back(
      {"images", "turned clockwise by 90 degrees, the last one first",
       "so the scripts of the walnuts of CWI take them; --turn 0 takes them as they are"});
  if (takes) {
    scan.geometry_file = vectors;
    scan.assumptions.push_back({"geometry", geometry_name, "it lies beside the images"});
  }
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
