#include "core/io/imports/arrays/array_scan.hpp"

#include "core/base/error.hpp"
#include "core/io/files/containers/listed_array.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/array_frames.hpp"
#include "core/io/imports/array_pages.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/arrays/array_names.hpp"
#include "core/io/imports/arrays/named_angles.hpp"
#include "core/io/imports/arrays/named_frames.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/imports/sinogram_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace gantry {

namespace {

using Frames = std::shared_ptr<const FrameSource>;

/// The arrays of a file, and what their names are judged by.
class NamedArrays {
 public:
  explicit NamedArrays(const ArrayFile& file) : file_(file) {
    for (const StoredArray& one : file.arrays)
      listed_.push_back({.path = one.name, .size = one.size, .is_number = true});
  }
  NamedArrays(const NamedArrays&) = delete;
  NamedArrays& operator=(const NamedArrays&) = delete;

  const StoredArray& stored(const ListedArray& one) const {
    return file_.arrays[static_cast<std::size_t>(&one - listed_.data())];
  }
  /// Returns the arrays that suit.
  std::vector<const ListedArray*> of(const std::function<bool(const StoredArray&)>& suits) const {
    std::vector<const ListedArray*> found;
    for (const ListedArray& one : listed_)
      if (suits(stored(one))) found.push_back(&one);
    return found;
  }
  ArraysOfFile beside(const ListedArray& frames) const {
    return {.arrays = of([](const StoredArray&) { return true; }),
            .frames = &frames,
            .groups = {frames.group()},
            .unit = [](const ListedArray&) { return std::string(); },
            .numbers = [this](const ListedArray& one) { return numbers_of(stored(one)); },
            .takes = "--angles, from a file of its own, takes"};
  }

 private:
  const ArrayFile& file_;
  std::vector<ListedArray> listed_;
};

/// Returns the largest of arrays that may be frames; of those of three axes, if there are some, and
/// of those that are not called flats or darks, unless all are.
const ListedArray* largest_of(const std::vector<const ListedArray*>& candidates) {
  std::vector<const ListedArray*> of_three_axes;
  std::ranges::copy_if(candidates, std::back_inserter(of_three_axes),
                       [](const ListedArray* one) { return one->size.size() == 3; });
  std::vector<const ListedArray*> possible = without_flats_and_darks(of_three_axes, {});
  if (possible.empty()) possible = without_flats_and_darks(candidates, {});
  return *std::ranges::max_element(possible.empty() ? candidates : possible, {},
                                   [](const ListedArray* one) { return one->elements(); });
}

/// Returns the projections: the array that is named so, else the largest_of() all.
const ListedArray& projections_in(const NamedArrays& arrays, const std::string& path,
                                  std::vector<Assumption>& assumptions) {
  const std::vector<const ListedArray*> candidates = arrays.of(may_be_frames);
  if (candidates.empty())
    throw InputError("holds no array of two or three dimensions", path,
                     "store the projections as [view][row][column]");
  const ListedArray* chosen = nullptr;
  const std::vector<const ListedArray*> possible = without_flats_and_darks(candidates, {});
  for (const std::string_view name : names_of_projections)
    for (const ListedArray* one : possible)
      if (chosen == nullptr && lower_case(one->name()) == name) chosen = one;
  const std::string why = candidates.size() == 1 ? "the only array of two or three dimensions"
                          : chosen != nullptr    ? "by its name"
                                                 : "the largest array";
  if (chosen == nullptr) chosen = largest_of(candidates);
  if (!chosen->path.empty()) assumptions.push_back({"projections", chosen->path, why});
  return *chosen;
}

/// Says how attributes of the file scale an array.
void say_scaling(const StoredArray& array, std::vector<Assumption>& assumptions) {
  if (!array.scaling.empty())
    assumptions.push_back({"values of " + array.name, array.scaling, "its attributes state it"});
}

/// Returns frames of the size of the projections' ones, in an array of as many axes, or of one
/// less.
Frames frames_like(StoredArray array, const StoredArray& projections, const FrameAxes& axes,
                   RawScan& scan) {
  const std::size_t dimensions = projections.size.size(),
                    own = without_single_axes(array.size).size();
  if (own != dimensions && own + 1 != dimensions)
    throw InputError(
        "is of " + array.size_text() + " numbers, the projections of " + projections.size_text(),
        array.where, "give frames of the size of the projections");
  say_scaling(array, scan.assumptions);
  return frames_beside(std::move(array), *scan.projections, axes, scan.assumptions);
}

/// Returns the angles in the list that the names tell; nothing without. Lists of which something
/// is said are added to `used`.
std::vector<double> named_angles_in(const NamedArrays& arrays, const ArraysOfFile& all,
                                    const FrameNumbers& numbers,
                                    std::vector<const ListedArray*>& used, RawScan& scan) {
  const NamedAngles found = named_angles(all, numbers);
  used.insert(used.end(), found.named.begin(), found.named.end());
  if (found.list == nullptr) {
    scan.unfit_angles = found.others;
    return {};
  }
  used.push_back(found.list);
  const StoredArray& list = arrays.stored(*found.list);
  scan.assumptions.push_back({"angles", list.name, "by its name"});
  note_other_angles(found, scan.notes);
  say_scaling(list, scan.assumptions);
  const std::string remedy =
      "name the array " + list.name + "_deg, or give the angles by --arc or --angles,";
  const ListedAngles angles =
      angles_by_unit(*found.list, numbers_of(list), {}, {.where = list.where, .remedy = remedy},
                     remedy.c_str(), scan.assumptions);
  scan.angles_where = list.where;
  return angles_of_frames(angles.values, numbers, angles.list, scan.assumptions,
                          angles.is_unit_stated);
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
  return frames_like(only_array_of_frames(custom.open(given[0]), given[0]), projections, axes,
                     scan);
}

}  // namespace

RawScan scan_of_arrays(const ArrayFile& file, const ImportRequest& request,
                       const ArrayCustom& custom) {
  RawScan scan;
  scan.notes = file.left_out;
  const NamedArrays arrays(file);
  const ListedArray& chosen = projections_in(arrays, request.path, scan.assumptions);
  const ArraysOfFile all = arrays.beside(chosen);
  const StoredArray& projections = arrays.stored(chosen);
  const std::size_t angles =
      count_of_angles(request, static_cast<std::size_t>(count_of_named_angles(all)));
  const FrameAxes axes =
      axes_of_projections(projections, angles, request, custom.views, scan.assumptions);
  scan.other_axes = other_axes(projections, axes, angles, request);
  scan.projections = frames_of_array(projections, axes);
  say_scaling(projections, scan.assumptions);
  const FramesOfFile frames{.file = arrays.beside(chosen),
                            .axes = axes,
                            .open =
                                [&](const ListedArray& one) {
                                  return frames_like(arrays.stored(one), projections, axes, scan);
                                },
                            .seeks_flats = request.flats.empty(),
                            .seeks_darks = request.darks.empty(),
                            .are_line_integrals = request.normalise.are_line_integrals,
                            .takes = "--flat and --dark, from files of their own, take"};
  std::vector<const ListedArray*> used = take_named_frames(frames, scan);
  used.push_back(&chosen);
  if (!frames.seeks_flats)
    scan.flats =
        given_frames(request.flats, FrameRole::flats, projections, axes, request, custom, scan);
  if (!frames.seeks_darks)
    scan.darks =
        given_frames(request.darks, FrameRole::darks, projections, axes, request, custom, scan);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  const FrameNumbers numbers = among.of(FrameNumbers{among.frames});
  scan.angles_deg = angles_for(request, numbers, scan.assumptions,
                               [&] { return named_angles_in(arrays, all, numbers, used, scan); });
  for (const ListedArray* one : all.arrays)
    if (std::ranges::find(used, one) == used.end())
      scan.notes.push_back(one->path + " (" + one->size_text() + ") was left out");
  return scan;
}

}  // namespace gantry
