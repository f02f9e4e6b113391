#include "core/io/imports/arrays/array_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_names.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/imports/sinogram_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

namespace gantry {

namespace {

/// Returns the last part of the name of an array, in lower case.
std::string short_name(const StoredArray& array) {
  const std::size_t slash = array.name.rfind('/');
  return lower_case(slash == std::string::npos ? array.name : array.name.substr(slash + 1));
}

/// Removes and returns the array whose name comes first among `names`.
std::optional<StoredArray> taken(std::vector<StoredArray>& arrays, ArrayNames names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(arrays, name, short_name);
    if (found == arrays.end()) continue;
    StoredArray array = std::move(*found);
    arrays.erase(found);
    return array;
  }
  return std::nullopt;
}

/// Removes and returns the projections: the array that is named so, else the largest one.
StoredArray take_projections(std::vector<StoredArray>& arrays, const std::string& path,
                             std::vector<Assumption>& assumptions) {
  std::vector<StoredArray> candidates;
  const auto others = std::partition(arrays.begin(), arrays.end(), std::not_fn(may_be_frames));
  std::move(others, arrays.end(), std::back_inserter(candidates));
  arrays.erase(others, arrays.end());
  if (candidates.empty())
    throw InputError("holds no array of two or three dimensions", path,
                     "store the projections as [view][row][column]");
  const bool is_single = candidates.size() == 1;
  std::optional<StoredArray> chosen = taken(candidates, names_of_projections);
  const std::string why = is_single ? "the only array of two or three dimensions"
                          : chosen  ? "by its name"
                                    : "the largest array";
  if (!chosen) {
    const auto largest = std::ranges::max_element(candidates, {}, &StoredArray::count);
    chosen = std::move(*largest);
    candidates.erase(largest);
  }
  std::ranges::move(candidates, std::back_inserter(arrays));
  if (!chosen->name.empty()) assumptions.push_back({"projections", chosen->name, why});
  return std::move(*chosen);
}

/// Says which axis of an array is which.
void say_axes(const StoredArray& array, const FrameAxes& axes, const std::string& why,
              std::vector<Assumption>& assumptions) {
  std::vector<std::string> words(array.size.size());
  words[axes.column] = "column";
  if (axes.view) words[*axes.view] = "view";
  if (axes.row) words[*axes.row] = "row";
  assumptions.push_back({"axes of the projections", joined(words), why});
}

/// Says how attributes of the file scale an array.
void say_scaling(const StoredArray& array, std::vector<Assumption>& assumptions) {
  if (!array.scaling.empty())
    assumptions.push_back({"values of " + array.name, array.scaling, "its attributes state it"});
}

/// Returns the axes of a picture, which is a sinogram unless the request says otherwise.
FrameAxes axes_of_picture(const StoredArray& array, std::size_t angles, ImageContent images,
                          std::vector<Assumption>& assumptions) {
  FrameAxes axes{.view = 0, .row = {}, .column = 1};
  std::string why = "it has two dimensions";
  if (images == ImageContent::projections) {
    axes = {.view = {}, .row = 0, .column = 1};
    why = "the images are projections";
  } else if (angles > 0 && array.size[0] != angles && array.size[1] == angles) {
    axes = {.view = 1, .row = {}, .column = 0};
    why = std::to_string(angles) + " angles";
  }
  say_axes(array, axes, why, assumptions);
  return axes;
}

/// Returns the axes of the projections: what the request says of the images, which follow each
/// other along one axis; else the axis as long as there are angles (0: not known) is that of views.
FrameAxes axes_of(const StoredArray& array, std::size_t angles, ImageContent images,
                  const ArrayCustom& custom, std::vector<Assumption>& assumptions) {
  if (array.size.size() == 2) return axes_of_picture(array, angles, images, assumptions);
  FrameAxes axes;
  std::size_t view = custom.view_axis;
  std::string why = custom.why;
  if (images == ImageContent::as_found && angles > 0 && array.size[view] != angles &&
      std::ranges::count(array.size, angles) == 1) {
    view = static_cast<std::size_t>(std::ranges::find(array.size, angles) - array.size.begin());
    why = std::to_string(angles) + " angles";
  }
  axes.view = view;
  axes.row = view == 0 ? 1 : 0;
  axes.column = view == 2 ? 1 : 2;
  if (images != ImageContent::as_found) why = "the images are projections";
  if (images == ImageContent::sinograms) {
    std::swap(axes.view, axes.row);
    why = "the images are sinograms";
  }
  say_axes(array, axes, why, assumptions);
  return axes;
}

/// Returns frames of the size of the projections' ones: as many axes mean the same, where sizes do
/// not tell that images of the detector lie beside sinograms; one axis less a single frame.
std::shared_ptr<const FrameSource> frames_like(StoredArray array, const StoredArray& projections,
                                               FrameAxes axes) {
  const auto has_rows_along = [&](const std::optional<std::size_t>& axis) {
    return array.size[*axis] == projections.size[*axes.row];
  };
  if (array.size.size() == 3 && projections.size.size() == 3 && !has_rows_along(axes.row) &&
      has_rows_along(axes.view))
    std::swap(axes.view, axes.row);
  if (array.size.size() == projections.size.size()) return frames_of_array(std::move(array), axes);
  if (array.size.size() + 1 != projections.size.size())
    throw InputError(
        "is of " + array.size_text() + " numbers, the projections of " + projections.size_text(),
        array.where, "give frames of the size of the projections");
  FrameAxes single;
  if (axes.row) single.row = 0;
  single.column = axes.row ? 1 : 0;
  return frames_of_array(std::move(array), single);
}

/// Returns the angles in a list, degrees where its name states the unit.
std::vector<double> angles_in(const StoredArray& list, const FrameNumbers& numbers,
                              std::vector<Assumption>& assumptions) {
  const std::string name = short_name(list);
  const bool is_radian = names_radians(name), is_degree = names_degrees(name);
  std::vector<double> angles = numbers_of(list);
  say_scaling(list, assumptions);
  if (is_radian)
    for (double& angle : angles) angle = degrees(angle);
  assumptions.push_back({"angles", list.name, "by its name"});
  if (!is_radian && !is_degree)
    assumptions.push_back({unit_of_angles, "degrees", list.name + " states none"});
  return angles_of_frames(angles, numbers, list.where, assumptions, is_radian || is_degree);
}

using Frames = std::shared_ptr<const FrameSource>;

/// Returns the flats or darks that are given as files: of the format of the scan, or another one.
Frames given_frames(const std::vector<std::string>& given, FrameRole role,
                    const StoredArray& projections, const FrameAxes& axes,
                    const ImportRequest& request, const ArrayCustom& custom, RawScan& scan) {
  const auto is_own = [&](const std::string& path) {
    return custom.is_own(file_start(path)) > Certainty::none;
  };
  if (std::ranges::none_of(given, is_own)) {
    Frames frames = given_frames_of(given, role, request, scan.notes);
    return request.images == ImageContent::sinograms
               ? beside_sinograms(std::move(frames), *scan.projections)
               : frames;
  }
  if (given.size() > 1)
    throw InputError(
        std::string("is the second file of ") + (role == FrameRole::flats ? "flats" : "darks"),
        given[1], "put all of them into one array");
  StoredArray found = only_array_of_frames(custom.open(given[0]), given[0]);
  say_scaling(found, scan.assumptions);
  return frames_like(std::move(found), projections, axes);
}

/// Returns the flats or darks that are named so among the arrays of the scan; null without any.
Frames named_frames(ArrayFile& file, const char* what, ArrayNames names,
                    const StoredArray& projections, const FrameAxes& axes,
                    std::vector<Assumption>& assumptions) {
  std::optional<StoredArray> found = taken(file.arrays, names);
  if (!found) return nullptr;
  assumptions.push_back({what, found->name, "by its name"});
  say_scaling(*found, assumptions);
  return frames_like(std::move(*found), projections, axes);
}

}  // namespace

RawScan scan_of_arrays(ArrayFile file, const ImportRequest& request, const ArrayCustom& custom) {
  RawScan scan;
  scan.notes = file.left_out;
  const std::optional<StoredArray> angles = taken(file.arrays, names_of_angles);
  ArrayFile named;  // flats and darks are no projections, however large
  for (const ArrayNames names : {ArrayNames(names_of_flats), ArrayNames(names_of_darks)})
    if (auto found = taken(file.arrays, names)) named.arrays.push_back(std::move(*found));
  const StoredArray projections = take_projections(file.arrays, request.path, scan.assumptions);
  const std::size_t in_file = angles ? static_cast<std::size_t>(angles->count()) : 0;
  const FrameAxes axes = axes_of(projections, count_of_angles(request, in_file), request.images,
                                 custom, scan.assumptions);
  scan.projections = frames_of_array(projections, axes);
  say_scaling(projections, scan.assumptions);
  const auto frames_of = [&](FrameRole role, const char* what, ArrayNames names,
                             const std::vector<std::string>& given) {
    return given.empty() ? named_frames(named, what, names, projections, axes, scan.assumptions)
                         : given_frames(given, role, projections, axes, request, custom, scan);
  };
  scan.flats = frames_of(FrameRole::flats, "flats", names_of_flats, request.flats);
  scan.darks = frames_of(FrameRole::darks, "darks", names_of_darks, request.darks);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  const FrameNumbers numbers = among.of(FrameNumbers{among.frames});
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&]() {
    return angles ? angles_in(*angles, numbers, scan.assumptions) : std::vector<double>{};
  });
  for (const StoredArray& other : file.arrays)
    scan.notes.push_back(other.name + " (" + other.size_text() + ") was left out");
  return scan;
}

}  // namespace gantry
