#include "core/io/imports/arrays/array_scan.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
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

using Frames = std::shared_ptr<const FrameSource>;

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

/// Says how attributes of the file scale an array.
void say_scaling(const StoredArray& array, std::vector<Assumption>& assumptions) {
  if (!array.scaling.empty())
    assumptions.push_back({"values of " + array.name, array.scaling, "its attributes state it"});
}

/// Returns frames of the size of the projections' ones, in an array of as many axes, or of one
/// less.
Frames frames_like(StoredArray array, const StoredArray& projections, const FrameSource& frames,
                   const FrameAxes& axes) {
  const std::size_t dimensions = projections.size.size();
  if (array.size.size() != dimensions && array.size.size() + 1 != dimensions)
    throw InputError(
        "is of " + array.size_text() + " numbers, the projections of " + projections.size_text(),
        array.where, "give frames of the size of the projections");
  const FrameAxes own = axes_beside(array.size, frames, axes);
  return frames_of_array(std::move(array), own);
}

/// Returns the angles in a list, degrees where its name states the unit.
std::vector<double> angles_in(const StoredArray& list, const FrameNumbers& numbers, RawScan& scan) {
  std::vector<Assumption>& assumptions = scan.assumptions;
  const std::string name = short_name(list);
  const bool is_radian = names_radians(name), is_degree = names_degrees(name);
  std::vector<double> angles = numbers_of(list);
  say_scaling(list, assumptions);
  if (is_radian)
    for (double& angle : angles) angle = degrees(angle);
  assumptions.push_back({"angles", list.name, "by its name"});
  if (!is_radian && !is_degree)
    assumptions.push_back({unit_of_angles, "degrees", list.name + " states none"});
  scan.angles_where = list.where;
  const ListOfAngles said{
      .where = list.where,
      .remedy = "name the array " + list.name + "_deg, or give the angles by --arc or --angles,"};
  return angles_of_frames(angles, numbers, said, assumptions, is_radian || is_degree);
}

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
  return frames_like(std::move(found), projections, *scan.projections, axes);
}

/// Returns the flats or darks that are named so among the arrays of the scan; null without any.
Frames named_frames(ArrayFile& file, const char* what, ArrayNames names,
                    const StoredArray& projections, const FrameAxes& axes, RawScan& scan) {
  std::optional<StoredArray> found = taken(file.arrays, names);
  if (!found) return nullptr;
  scan.assumptions.push_back({what, found->name, "by its name"});
  say_scaling(*found, scan.assumptions);
  return frames_like(std::move(*found), projections, *scan.projections, axes);
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
  const FrameAxes axes = axes_of_projections(projections, count_of_angles(request, in_file),
                                             request, custom.views, scan.assumptions);
  scan.projections = frames_of_array(projections, axes);
  say_scaling(projections, scan.assumptions);
  const auto frames_of = [&](FrameRole role, const char* what, ArrayNames names,
                             const std::vector<std::string>& given) {
    return given.empty() ? named_frames(named, what, names, projections, axes, scan)
                         : given_frames(given, role, projections, axes, request, custom, scan);
  };
  scan.flats = frames_of(FrameRole::flats, "flats", names_of_flats, request.flats);
  scan.darks = frames_of(FrameRole::darks, "darks", names_of_darks, request.darks);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  const FrameNumbers numbers = among.of(FrameNumbers{among.frames});
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&]() {
    return angles ? angles_in(*angles, numbers, scan) : std::vector<double>{};
  });
  for (const StoredArray& other : file.arrays)
    scan.notes.push_back(other.name + " (" + other.size_text() + ") was left out");
  return scan;
}

}  // namespace gantry
