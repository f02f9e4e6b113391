#include "core/io/imports/formats/rtk/rtk_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/geometries/rtk_geometry.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/formats/rtk/itk_projections.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "core/io/scans/scan_file.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

/// Returns the images beside a geometry that have as many views, those that are named as
/// projections if there are some.
std::vector<std::string> images_of(const std::string& geometry) {
  const int views = static_cast<int>(projections_in_rtk(geometry));
  const FileFormat images = itk_image_format();
  std::vector<std::string> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder_of(geometry), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string path = at->path().string();
    if (!has_extension_of(images, path) || name_of(path).starts_with('.') ||
        !at->is_regular_file(error))
      continue;
    try {
      if (views_of_itk(path) == views) found.push_back(path);
    } catch (const InputError&) {  // another file, damaged or not: its name alone is that of images
    }
  }
  std::ranges::sort(found);
  const auto others = std::stable_partition(
      found.begin(), found.end(),
      [](const std::string& path) { return lower_case(name_of(path)).starts_with("proj"); });
  if (others != found.begin()) found.erase(others, found.end());
  return found;
}

bool has_images(const std::string& geometry) {
  try {
    return !images_of(geometry).empty();
  } catch (const InputError&) {  // given as --geometry, it says what is wrong with it
    return false;
  }
}

/// Opens the projections with the flats and darks that are given.
RawScan read_projections(const std::string& path, const ImportRequest& request) {
  RawScan scan = open_itk_projections(path);
  scan.flats = given_frames_of(request.flats, FrameRole::flats, request, scan.notes);
  scan.darks = given_frames_of(request.darks, FrameRole::darks, request, scan.notes);
  return scan;
}

RawScan read_image(const ImportRequest& request) {
  RawScan scan = read_projections(request.path, request);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  scan.angles_deg = angles_for(request, among.of(FrameNumbers{among.frames}), scan.assumptions,
                               [] { return std::vector<double>{}; });
  return scan;
}

RawScan read_rtk(const ImportRequest& request) {
  const std::vector<std::string> images = images_of(request.path);
  if (images.empty())
    throw InputError("holds a geometry of " + std::to_string(projections_in_rtk(request.path)) +
                         " views, but beside it lies no MetaImage or NRRD of as many",
                     request.path, "put the projections beside it");
  if (images.size() > 1)
    throw InputError("may be the geometry of " + joined(images, name_of), request.path,
                     "give the projections first, and this file as --geometry");
  RawScan scan = read_projections(images.front(), request);
  scan.assumptions.insert(scan.assumptions.begin(), {"projections", name_of(images.front()),
                                                     "it has as many views as the geometry"});
  StatedGeometry stated =
      read_stated_geometry(request.path, {scan.projections->columns(), scan.projections->rows(),
                                          scan.pixel_mm, scan.row_pixel_mm, scan.zero_cell});
  scan.begins_lowest = stated.has_rows_of_files;
  if (request.geometry.empty()) {
    std::ranges::move(stated.assumptions, std::back_inserter(scan.assumptions));
    std::ranges::move(stated.notes, std::back_inserter(scan.notes));
  }
  scan.geometry = std::move(stated.spec);
  scan.angles_deg = angles_for(request, {scan.projections->frames()}, scan.assumptions,
                               [] { return std::vector<double>{}; });
  return scan;
}

}  // namespace

ImportFormat itk_projections_format() {
  ImportFormat format;
  static_cast<FileFormat&>(format) = itk_image_format();
  format.key = "itk_projections";
  format.label = "projections of RTK (MetaImage, NRRD)";
  format.read = read_image;
  format.frames = [](const FramesBeside& beside) {
    RawScan scan = open_itk_projections(beside.path);
    return std::move(scan.projections);
  };
  return format;
}

ImportFormat rtk_scan_format() {
  ImportFormat format;
  format.key = "rtk_scan";
  format.label = "RTK geometry beside its projections";
  format.extensions = {".xml"};
  format.is_header = true;
  format.magic = [](std::string_view start) {
    return is_rtk_geometry(start) ? Certainty::certain : Certainty::none;
  };
  format.is_complete = has_images;
  format.read = read_rtk;
  return format;
}

}  // namespace gantry
