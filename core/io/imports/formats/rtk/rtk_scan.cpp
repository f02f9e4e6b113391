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
#include <functional>
#include <iterator>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

/// An image beside a geometry, by its header.
struct ImageBeside {
  std::string path;
  std::size_t views = 0;

  bool is_named_projections() const { return lower_case(name_of(path)).starts_with("proj"); }
};

/// Returns the images beside a geometry whose headers can be read, sorted.
std::vector<ImageBeside> images_beside(const std::string& geometry) {
  const FileFormat images = itk_image_format();
  std::vector<ImageBeside> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder_of(geometry), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string path = at->path().string();
    if (!has_extension_of(images, path) || name_of(path).starts_with('.') ||
        !at->is_regular_file(error))
      continue;
    try {
      found.push_back({path, static_cast<std::size_t>(views_of_itk(path))});
    } catch (const InputError&) {  // another file, damaged or not: its name alone is that of images
    }
  }
  std::ranges::sort(found, {}, &ImageBeside::path);
  return found;
}

/// Returns the images that may be the projections of a geometry of so many views: those that have
/// as many, of which some that are named as projections win; else those that are named so, of which
/// some with one view less win.
std::vector<ImageBeside> images_for(std::size_t views, const std::vector<ImageBeside>& beside) {
  std::vector<ImageBeside> fitting, named;
  for (const ImageBeside& one : beside) {
    if (one.views == views) fitting.push_back(one);
    if (one.is_named_projections()) named.push_back(one);
  }
  const auto prefer = [](std::vector<ImageBeside>& images, const auto& suits) {
    if (std::ranges::any_of(images, suits)) std::erase_if(images, std::not_fn(suits));
  };
  prefer(fitting, std::mem_fn(&ImageBeside::is_named_projections));
  prefer(named, [views](const ImageBeside& one) { return one.views + 1 == views; });
  return fitting.empty() ? named : fitting;
}

bool has_images(const std::string& geometry) {
  try {
    return !images_for(projections_in_rtk(geometry), images_beside(geometry)).empty();
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
  const std::size_t views = projections_in_rtk(request.path);
  const std::vector<ImageBeside> images = images_for(views, images_beside(request.path));
  if (images.empty())
    throw InputError("holds a geometry of " + std::to_string(views) +
                         " views, but beside it lies no MetaImage or NRRD of as many",
                     request.path, "put the projections beside it");
  const auto& [image, frames] = images.front();
  if (frames != views && frames + 1 != views)
    throw InputError("states " + std::to_string(views) + " views, but beside it " +
                         joined(images,
                                [](const ImageBeside& one) {
                                  return name_of(one.path) + " holds " + std::to_string(one.views);
                                }),
                     request.path, "put the geometry of these projections beside them");
  if (images.size() > 1)
    throw InputError("may be the geometry of " +
                         joined(images, [](const ImageBeside& one) { return name_of(one.path); }),
                     request.path, "give the projections first, and this file as --geometry");
  RawScan scan = read_projections(image, request);
  scan.assumptions.insert(
      scan.assumptions.begin(),
      {"projections", name_of(image),
       frames == views ? "it has as many views as the geometry" : "by its name"});
  StatedGeometry stated =
      read_stated_geometry(request.path, {scan.projections->columns(), scan.projections->rows(),
                                          scan.pixel_mm, scan.row_pixel_mm, scan.zero_cell});
  leave_out_views_without_projection(scan.counted_projections(), name_of(request.path), stated);
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
