#include "core/io/imports/formats/hdf5/hdf5_plain.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/files/containers/hdf5_place.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/arrays/named_frames.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"
#include "core/io/imports/formats/hdf5/hdf5_reduced.hpp"
#include "core/io/imports/marked_frames.hpp"
#include "core/io/imports/names/flat_series.hpp"
#include "core/io/imports/sinogram_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;
using Frames = std::shared_ptr<const FrameSource>;

/// What flats and darks differ by.
struct Role {
  FrameRole role;
  std::string word;
  double image_key;  ///< of NXtomo
  std::string of_exchange, option;
  ArrayNames names;
};
const Role flat_role{FrameRole::flats,       "flats",       1,
                     "/exchange/data_white", "--flat-data", names_of_flats};
const Role dark_role{FrameRole::darks,      "darks",       2,
                     "/exchange/data_dark", "--dark-data", names_of_darks};

/// Returns the data set of flats or darks in a file of which the user does not say which it is.
const Hdf5Dataset& frames_for(const Hdf5File& file, const Role& role) {
  if (const auto* found = file.find(role.of_exchange); found && found->has_dimensions(1, 3))
    return *found;
  std::vector<const Hdf5Dataset*> possible;
  for (std::size_t dimensions = 3; dimensions >= 2 && possible.empty(); --dimensions)
    for (const Hdf5Dataset& one : file.datasets())
      if (one.has_dimensions(dimensions, dimensions)) possible.push_back(&one);
  for (const Hdf5Dataset* one : possible)
    if (image_keys_of(file, *one) != nullptr) return *one;
  if (possible.size() == 1) return *possible.front();
  throw InputError("does not tell which of its data sets are the " + role.word, file.path(),
                   "name one (" + role.option + "); it holds " + listed_data_sets(file));
}

/// Returns the data sets of flats or darks in a file: that of the name which the user gives, of at
/// least so many dimensions, or those in a group of this name; without a name those that ESRF's
/// programs reduced, in the entry of the projections, or the one by frames_for().
std::vector<const Hdf5Dataset*> data_sets_of(const Hdf5File& file, const Role& role,
                                             const std::string& named, const std::string& entry,
                                             std::size_t least) {
  std::vector<const Hdf5Dataset*> found =
      named.empty() ? reduced_frames(file, role.word, entry) : reduced_in(file, named);
  if (found.empty())
    found = {named.empty() ? &frames_for(file, role) : &named_data_set(file, named, least, 3)};
  return found;
}

/// Returns the frames of a data set that an NXtomo marks as these, all of one that it does not
/// mark.
std::vector<ChosenFrames::Choice> marked(const Hdf5File& file, const Hdf5Dataset& data,
                                         const Frames& frames, double image_key) {
  const Hdf5Dataset* list = image_keys_of(file, data);
  if (list == nullptr) return every_frame_of(frames);
  const std::vector<double> keys = file.numbers(*list);
  std::vector<ChosenFrames::Choice> chosen;
  for (int i = 0; i < frames->frames(); ++i)
    if (keys.size() != static_cast<std::size_t>(frames->frames()) ||
        keys[static_cast<std::size_t>(i)] == image_key)
      chosen.emplace_back(frames, i);
  return chosen;
}

[[noreturn]] void refuse_unmarked(const Role& role, const std::string& path) {
  throw InputError("marks no frames as " + role.word, path,
                   "in NXtomo, image_key is 1 for flats and 2 for darks");
}

/// Flats or darks that the user gives.
struct GivenFrameList {
  std::vector<ChosenFrames::Choice> frames;
  std::vector<std::string> files;  ///< of each
  std::vector<int> places;         ///< by place_of_reduced(), of those that have one

  void add(const std::vector<ChosenFrames::Choice>& more, const std::string& file,
           std::optional<int> place) {
    frames.insert(frames.end(), more.begin(), more.end());
    files.insert(files.end(), more.size(), file);
    if (place) places.insert(places.end(), more.size(), *place);
  }
  Frames source() const {
    return frames.empty() ? nullptr : std::make_shared<const ChosenFrames>(frames);
  }
};

/// Reads what the user says of flats and darks.
class GivenFrames {
 public:
  GivenFrames(const File& file, const Hdf5Dataset& projections, const FrameAxes& axes,
              const ImportRequest& request, RawScan& scan)
      : file_(file),
        entry_(entry_of(projections.path)),
        axes_(axes),
        request_(request),
        scan_(scan) {}

  /// Returns the frames in these files, or in the data set of this name in the file of the
  /// projections; none if neither is given.
  GivenFrameList read(const Role& role, const std::vector<std::string>& files,
                      const std::string& data_set) const {
    GivenFrameList all;
    if (files.empty() && !data_set.empty()) add_hdf5(role, file_, data_set, all);
    for (const std::string& text : files) {
      const Hdf5Place place = hdf5_place(text);
      add_file(role, place.file, place.data_set.empty() ? data_set : place.data_set, all);
    }
    if (all.frames.empty() && (!files.empty() || !data_set.empty()))
      refuse_unmarked(role, files.empty() ? file_->path() : files[0]);
    return all;
  }

 private:
  void add_file(const Role& role, const std::string& path, const std::string& data_set,
                GivenFrameList& all) const {
    if (is_hdf5(file_start(path)))
      return add_hdf5(role, std::make_shared<const Hdf5File>(path, request_.interrupt), data_set,
                      all);
    if (!data_set.empty())
      throw InputError("is no HDF5, but the data set " + data_set + " is named in it", path,
                       "give an HDF5 file, or leave out the data set");
    Frames frames = given_frames_of({path}, role.role, request_, scan_.notes);
    if (request_.images == ImageContent::sinograms)
      frames = beside_sinograms(std::move(frames), *scan_.projections);
    all.add(every_frame_of(frames), path, {});
  }
  void add_hdf5(const Role& role, const File& file, const std::string& data_set,
                GivenFrameList& all) const {
    for (const Hdf5Dataset* data : data_sets_of(*file, role, data_set, entry_, 1)) {
      const bool is_marked = image_keys_of(*file, *data) != nullptr;
      all.add(
          marked(*file, *data, frames_beside(file, *data, is_marked ? usual_axes : axes_, scan_),
                 role.image_key),
          file->path(), place_of_reduced(data->path));
    }
  }

  const File& file_;
  std::string entry_;  ///< of the projections
  FrameAxes axes_;     ///< of the projections
  const ImportRequest& request_;
  RawScan& scan_;
};

/// Notes, where nothing is known of flats, which other data sets have the cells of the projections.
void note_possible_flats(const Hdf5File& file, const Hdf5Dataset& data, const FrameAxes& axes,
                         const DataSetPaths& given, std::vector<const ListedArray*> known,
                         RawScan& scan) {
  known.insert(known.end(), {&data, file.find(given.darks)});
  std::vector<const Hdf5Dataset*> possible;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.has_dimensions(2, 3) && std::ranges::find(known, &one) == known.end() &&
        has_cells_of(*scan.projections, one, axes, false))
      possible.push_back(&one);
  if (!possible.empty())
    scan.notes.push_back("not used, though as large as the projections: " + listed(possible) +
                         "; " + flat_role.option + " and " + dark_role.option +
                         " take what is flats or darks");
}

/// Takes the flats and darks that the file names so where the user says nothing of them.
void take_frames_by_name(const File& file, const Hdf5Dataset& data, const FrameAxes& axes,
                         const ImportRequest& request, RawScan& scan) {
  const DataSetPaths& given = request.data_sets;
  std::vector<const ListedArray*> others;
  for (const Hdf5Dataset* one : possible_projections(*file, given))
    if (one != &data) others.push_back(one);
  const FramesOfFile frames{.file = arrays_of(*file, data),
                            .axes = axes,
                            .group_of_scan = group_without(others, data),
                            .open =
                                [&](const ListedArray& array) {
                                  return frames_beside(file, *file->find(array.path), axes, scan);
                                },
                            .seeks_flats = request.flats.empty() && given.flats.empty(),
                            .seeks_darks = request.darks.empty() && given.darks.empty(),
                            .are_line_integrals = request.normalise.are_line_integrals,
                            .takes = flat_role.option + " and " + dark_role.option + " take"};
  std::vector<const ListedArray*> known = take_named_frames(frames, scan);
  if (scan.flats == nullptr && frames.seeks_flats && !frames.are_line_integrals)
    note_possible_flats(*file, data, axes, given, std::move(known), scan);
}

/// `numbers`: which of the frames of the data set are projections.
std::vector<double> angles_of(const Hdf5File& file, const Hdf5Dataset& data,
                              const FrameNumbers& numbers, const std::string& named,
                              RawScan& scan) {
  const Hdf5Dataset* list = named.empty() ? take_named_angles(file, data, numbers, scan)
                                          : &named_data_set(file, named, 1, 1);
  if (list == nullptr) return {};
  const ListedAngles angles = angles_in(file, *list, scan.assumptions);
  scan.angles_where = angles.list.where;
  return angles_of_frames(angles.values, numbers, angles.list, scan.assumptions,
                          angles.is_unit_stated);
}

}  // namespace

Frames frames_beside(const File& file, const Hdf5Dataset& data, const FrameAxes& axes,
                     RawScan& scan) {
  say_scaling(data, scan.assumptions);
  return frames_beside(hdf5_array(file, data), *scan.projections, axes, scan.assumptions);
}

Frames hdf5_frames_of(const FramesBeside& beside) {
  const auto file = std::make_shared<const Hdf5File>(beside.path, beside.interrupt);
  const Role& role = beside.role == FrameRole::flats ? flat_role : dark_role;
  std::vector<Assumption> said;
  std::vector<ChosenFrames::Choice> all;
  for (const Hdf5Dataset* data : data_sets_of(*file, role, beside.data_set, {}, 2)) {
    say_scaling(*data, said);
    const auto chosen = marked(
        *file, *data, frames_of_array(hdf5_array(file, *data), axes_of_frames(data->size.size())),
        role.image_key);
    all.insert(all.end(), chosen.begin(), chosen.end());
  }
  for (const Assumption& one : said)
    beside.notes.push_back(one.what + ": " + one.value + " (" + one.why + ")");
  if (all.empty()) refuse_unmarked(role, beside.path);
  return std::make_shared<const ChosenFrames>(std::move(all));
}

RawScan plain_hdf5(const File& file, const Hdf5Dataset& data, const ImportRequest& request,
                   FrameAxes& axes) {
  RawScan scan;
  const DataSetPaths& given = request.data_sets;
  if (given.projections.empty())
    scan.assumptions.push_back(
        {"projections", data.path + ", " + data.size_text(),
         "the only data set of three dimensions that is not named as flats or darks"});
  const StoredArray array = hdf5_array(file, data);
  const std::size_t angles =
      telling_angles(request, data, angles_stated(*file, data, request.data_sets.angles));
  axes =
      axes_of_projections(array, angles, request, {0, "the usual order in HDF5"}, scan.assumptions);
  scan.other_axes = other_axes(array, axes, angles, request);
  scan.projections = frames_of_array(array, axes);
  say_scaling(data, scan.assumptions);
  take_frames_by_name(file, data, axes, request, scan);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  const FrameNumbers numbers = among.of(FrameNumbers{among.frames});
  scan.angles_deg = angles_for(request, numbers, scan.assumptions,
                               [&] { return angles_of(*file, data, numbers, given.angles, scan); });
  return scan;
}

void take_given_frames(RawScan& scan, const File& file, const Hdf5Dataset& projections,
                       const FrameAxes& axes, const ImportRequest& request) {
  const GivenFrames given(file, projections, axes, request, scan);
  const GivenFrameList flats = given.read(flat_role, request.flats, request.data_sets.flats),
                       darks = given.read(dark_role, request.darks, request.data_sets.darks);
  if (Frames source = flats.source()) {
    scan.flats = std::move(source);
    const int count = scan.projections->frames();
    scan.flat_views = views_of_flats(flats.files, count);
    if (flats.places.size() == flats.frames.size()) {
      scan.flat_views = views_of_places(flats.places, *scan.projections);
      scan.assumptions.push_back(time_of_flats(scan.flat_views, count));
    }
  }
  if (Frames source = darks.source()) scan.darks = std::move(source);
}

}  // namespace gantry
