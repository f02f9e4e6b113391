#include "core/io/imports/formats/hdf5/hdf5_frames.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/files/arrays/hdf5_array.hpp"
#include "core/io/files/containers/hdf5_file.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/arrays/array_axes.hpp"
#include "core/io/imports/chosen_frames.hpp"
#include "core/io/imports/formats/hdf5/als_scan.hpp"
#include "core/io/imports/formats/hdf5/cil_scan.hpp"
#include "core/io/imports/formats/hdf5/hdf5_angles.hpp"
#include "core/io/imports/formats/hdf5/hdf5_chosen_frames.hpp"
#include "core/io/imports/formats/hdf5/hdf5_data_sets.hpp"
#include "core/io/imports/formats/hdf5/hdf5_lengths.hpp"
#include "core/io/imports/formats/hdf5/hdf5_lost_frames.hpp"
#include "core/io/imports/formats/hdf5/hdf5_plain.hpp"
#include "core/io/imports/formats/hdf5/hdf5_reduced.hpp"
#include "core/io/imports/formats/hdf5/hdf5_translations.hpp"
#include "core/io/imports/marked_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace gantry {

namespace {

using File = std::shared_ptr<const Hdf5File>;

constexpr const char* exchange_path = "/exchange/data";

/// Returns when the flats of DataExchange were taken, as the acquisition of the Advanced Photon
/// Source states it (tomoScan): at the start, at the end, or half of them each. Nothing without.
std::vector<double> views_of_white(const Hdf5File& file, int flats, int projections) {
  if (flats == 0) return {};
  const auto* entry = file.find("/process/acquisition/flat_fields/flat_field_mode");
  const std::string mode = entry == nullptr ? "" : file.text(*entry).value_or("");
  const bool has_both = mode == "Both";
  if ((!has_both && mode != "Start" && mode != "End") || (has_both && flats % 2 != 0)) return {};
  std::vector<double> views(static_cast<std::size_t>(flats), -0.5);
  const std::ptrdiff_t before = has_both ? flats / 2 : mode == "Start" ? flats : 0;
  std::fill(views.begin() + before, views.end(), projections - 0.5);
  return views;
}

/// Whether a data set of DataExchange says by its attribute "axes", such as y:theta:x, that its
/// images are sinograms. The usual order is theta:y:x (De Carlo et al., J. Synchrotron Rad. 21
/// (2014) 1224).
bool says_sinograms(const Hdf5File& file, const Hdf5Dataset& data) {
  const std::string axes = file.text_attribute(data, "axes").value_or("");
  const std::size_t first = axes.find(':');
  return first != std::string::npos && axes.substr(first + 1).starts_with("theta:");
}

/// Returns the list of the angles of DataExchange, or the one that the user names; null if there is
/// none.
const Hdf5Dataset* theta_of_exchange(const Hdf5File& file, const std::string& named) {
  if (!named.empty()) return &named_data_set(file, named, 1, 1);
  const Hdf5Dataset* theta = file.find("/exchange/theta");
  return theta != nullptr ? theta : file.find("/exchange/angles");
}

/// Returns the axes of DataExchange, which are said where they are not the usual ones.
FrameAxes axes_of_exchange(const Hdf5File& file, const Hdf5Dataset& data, const StoredArray& array,
                           const ImportRequest& request, std::vector<Assumption>& assumptions) {
  ImportSettings settings = request;
  if (settings.axes.empty() && settings.images == ImageContent::as_found &&
      says_sinograms(file, data)) {
    settings.images = ImageContent::sinograms;
    assumptions.push_back({"images", "sinograms", "the axes of " + data.path});
  }
  const Hdf5Dataset* theta = theta_of_exchange(file, request.data_sets.angles);
  const std::uint64_t angles = theta == nullptr ? 0 : theta->list_length().value_or(0);
  std::vector<Assumption> said;
  const FrameAxes axes = axes_of_projections(array, telling_angles(request, data, angles), settings,
                                             {0, "the order of DataExchange"}, said);
  if (axes != usual_axes) std::ranges::move(said, std::back_inserter(assumptions));
  return axes;
}

/// Notes further frames of DataExchange that are named as flats or darks, where the user gives
/// none.
void note_unused_beside(const Hdf5File& file, const Hdf5Dataset& data,
                        const std::vector<std::string>& taken, const ImportRequest& request,
                        std::vector<std::string>& notes) {
  const DataSetPaths& given = request.data_sets;
  if (!request.files_beside().empty() || !given.flats.empty() || !given.darks.empty() ||
      request.normalise.are_line_integrals)
    return;
  std::vector<const Hdf5Dataset*> unused;
  for (const Hdf5Dataset& one : file.datasets())
    if (&one != &data && one.group() == data.group() && one.has_dimensions(2, 4) &&
        role_called(one.name()) && std::ranges::find(taken, one.path) == taken.end())
      unused.push_back(&one);
  if (!unused.empty())
    notes.push_back("not used, though named as flats or darks: " + listed(unused) +
                    "; --flat-data and --dark-data take those of this scan");
}

/// Takes the frames of DataExchange, and returns the axes of the projections. Where flats were
/// taken before and after the projections, as SLS (TOMCAT) states it, `flats_before` gets how many
/// were taken before.
FrameAxes take_exchange_frames(const File& file, const Hdf5Dataset& data,
                               const ImportRequest& request, RawScan& scan,
                               std::optional<int>& flats_before) {
  if (!data.has_dimensions(3, 3))
    throw InputError(data.path + " holds no frames", file->path(), "repair the file");
  scan.assumptions.push_back({"projections", data.path, "the file is DataExchange"});
  const StoredArray array = hdf5_array(file, data);
  const FrameAxes axes = axes_of_exchange(*file, data, array, request, scan.assumptions);
  if (axes != usual_axes) scan.other_axes = other_axes(array, axes, 0, request);
  scan.projections = frames_of_array(array, axes);
  say_scaling(data, scan.assumptions);
  std::vector<std::string> taken;
  const auto frames_at = [&](const std::string& name) -> std::shared_ptr<const FrameSource> {
    const std::string path = "/exchange/" + name;
    const Hdf5Dataset* found = file->find(path);
    if (found == nullptr || found->elements() == 0) return nullptr;
    taken.push_back(path);
    return frames_beside(file, named_data_set(*file, path, 2, 3), axes, scan);
  };
  scan.flats = frames_at("data_white");
  scan.darks = frames_at("data_dark");
  if (scan.flats == nullptr) {
    const auto before = frames_at("data_white_pre"), after = frames_at("data_white_post");
    scan.flats = joined_frames(before, after);
    if (scan.flats != nullptr) flats_before = before != nullptr ? before->frames() : 0;
  }
  if (scan.darks == nullptr)
    scan.darks = joined_frames(frames_at("data_dark_pre"), frames_at("data_dark_post"));
  note_unused_beside(*file, data, taken, request, scan.notes);
  return axes;
}

/// Returns the angles of DataExchange, whose list may also lie in another group.
std::vector<double> angles_of_exchange(const Hdf5File& file, const Hdf5Dataset& data,
                                       const FrameNumbers& numbers, const std::string& named,
                                       RawScan& scan) {
  const Hdf5Dataset* theta = theta_of_exchange(file, named);
  if (theta == nullptr)
    theta = take_named_angles(file, data, numbers, scan);
  else if (named.empty() && theta->path != "/exchange/theta")
    scan.assumptions.push_back({"angles", theta->path, "by its name"});
  if (theta == nullptr) return {};
  const ListedAngles angles = angles_in(file, *theta, scan.assumptions);
  scan.angles_where = angles.list.where;
  return angles_of_frames(angles.values, numbers, angles.list, scan.assumptions,
                          angles.is_unit_stated);
}

RawScan data_exchange(const File& file, const Hdf5Dataset& data, const ImportRequest& request,
                      FrameAxes& axes) {
  RawScan scan;
  std::optional<int> flats_before;
  axes = take_exchange_frames(file, data, request, scan, flats_before);
  const ProjectionsAmong among = take_marked_frames(request, scan);
  FrameNumbers all{among.frames};
  if (axes == usual_axes) {
    const Hdf5Dataset* theta = theta_of_exchange(*file, request.data_sets.angles);
    take_lost_frames(*file, data, theta == nullptr ? 0 : theta->list_length().value_or(0), all,
                     scan);
  }
  const FrameNumbers numbers = among.of(all);
  const int frames = numbers.frames;
  std::vector<std::uint64_t> kept(among.kept.begin(), among.kept.end());
  if (kept.empty()) {
    kept.resize(static_cast<std::size_t>(frames));
    std::iota(kept.begin(), kept.end(), std::uint64_t{0});
  }
  take_translations(*file, data, static_cast<std::size_t>(among.frames), kept,
                    exchange_axes(request), scan);
  if (flats_before) {
    scan.flat_views.assign(static_cast<std::size_t>(*flats_before), -0.5);
    scan.flat_views.resize(static_cast<std::size_t>(scan.flats->frames()), frames - 0.5);
  } else {
    scan.flat_views = views_of_white(*file, scan.flats ? scan.flats->frames() : 0, frames);
  }
  scan.angles_deg = angles_for(request, numbers, scan.assumptions, [&] {
    return angles_of_exchange(*file, data, numbers, request.data_sets.angles, scan);
  });
  return scan;
}

/// Throws InputError where the keys of an entry, by their name, are no list of numbers, or mark
/// another count of frames than it has.
void require_key_for_each(const Hdf5File& file, const Hdf5Dataset& frames, const char* name) {
  if (frames.size.size() != 3) return;
  const std::uint64_t count = frames.size[0];
  for (const Hdf5Dataset& keys : file.datasets()) {
    if (keys.name() != name || keys.elements() == 0 || keys.list_length() == count ||
        entry_of(keys.path) != entry_of(frames.path))
      continue;
    const std::optional<std::uint64_t> length = keys.list_length();
    throw InputError(length ? keys.path + " marks " + std::to_string(*length) + " frames, but " +
                                  frames.path + " holds " + std::to_string(count)
                            : fault_of_list(keys, count, count),
                     file.path(), "give a file whose frames and keys belong together");
  }
}

/// Returns the list of the angles of an NXtomo: one that has a value for each frame, or for each
/// projection, first of all that of the sample, since parts of the instrument may turn too; else
/// any other of that name in the entry, which will be refused. Null if there is none.
const Hdf5Dataset* rotation_angles(const Hdf5File& file, const Hdf5Dataset& frames,
                                   std::uint64_t projections) {
  constexpr const char* name = "rotation_angle";
  const std::array lengths = {frames.size[0], projections};
  const auto of_sample = [&](const Hdf5Dataset& one) {
    return one.name() == name && one.is_number && lower_case(one.group_name()) == "sample" &&
           one.list_length() && std::ranges::find(lengths, *one.list_length()) != lengths.end();
  };
  if (const Hdf5Dataset* list = nearest_in_entry(file, frames, of_sample)) return list;
  for (const std::uint64_t length : lengths)
    if (const Hdf5Dataset* list = list_for(file, name, frames, length)) return list;
  return nearest_in_entry(file, frames, [](const Hdf5Dataset& one) { return one.name() == name; });
}

/// `projections`: the places of these among the frames. `named`: the list that the user names.
std::vector<double> angles_of_nxtomo(const Hdf5File& file, const Hdf5Dataset& frames,
                                     const std::vector<std::uint64_t>& projections,
                                     const std::string& named, RawScan& scan) {
  std::vector<Assumption>& assumptions = scan.assumptions;
  const Hdf5Dataset* list = named.empty() ? rotation_angles(file, frames, projections.size())
                                          : &named_data_set(file, named, 1, 1);
  FrameNumbers numbers{static_cast<int>(projections.size())};
  numbers.places.assign(projections.begin(), projections.end());
  numbers.all_places = static_cast<int>(frames.size[0]);
  if (list == nullptr) list = take_named_angles(file, frames, numbers, scan);
  if (list == nullptr) return {};
  const ListedAngles angles = angles_in(file, *list, assumptions);
  scan.angles_where = angles.list.where;
  std::vector<double> chosen;
  if (angles.values.size() == frames.size[0]) {
    for (const std::uint64_t index : projections) chosen.push_back(angles.values[index]);
    if (!angles.is_unit_stated) take_radians(chosen, angles.list, assumptions);
    return chosen;
  }
  chosen =
      angles_of_frames(angles.values, numbers, angles.list, assumptions, angles.is_unit_stated);
  if (angles.values.size() == projections.size())
    assumptions.push_back({"angles", "one for each projection",
                           list->path + " has " + std::to_string(numbers.frames) + " angles for " +
                               std::to_string(frames.size[0]) + " frames, of which " +
                               std::to_string(numbers.frames) + " are projections"});
  return chosen;
}

RawScan nxtomo(const File& file, const Hdf5Dataset& data, const Hdf5Dataset& keys,
               const ImportRequest& request) {
  if (request.images == ImageContent::sinograms)
    throw UsageError("is NXtomo, which marks each of its images as a projection, flat or dark",
                     request.path, "leave out that they are sinograms");
  if (!request.axes.empty())
    throw UsageError("is NXtomo, whose frames follow each other along the first axis", request.path,
                     "leave out the order of axes (--axes)");
  RawScan scan;
  const std::vector<double> key_of = file->numbers(keys);
  std::vector<std::uint64_t> indices[3];
  const Hdf5Dataset* control = list_for(*file, "image_key_control", data, data.size[0]);
  if (control == nullptr) require_key_for_each(*file, data, "image_key_control");
  const std::vector<double> control_of =
      control != nullptr ? file->numbers(*control) : std::vector<double>(key_of.size());
  std::size_t others = 0, alignment = 0;
  for (std::size_t i = 0; i < key_of.size(); ++i) {
    if (control_of[i] == -1)  // as ESRF marks frames at angles that were measured before
      ++alignment;
    else if (key_of[i] == 0 || key_of[i] == 1 || key_of[i] == 2)
      indices[static_cast<std::size_t>(key_of[i])].push_back(i);
    else
      ++others;
    if (key_of[i] == 1) scan.flat_views.push_back(static_cast<double>(indices[0].size()) - 0.5);
  }
  if (indices[0].empty())
    throw InputError(keys.path + " marks no projections", file->path(), "0 marks a projection");
  if (others > 0)
    scan.notes.push_back(std::to_string(others) +
                         (others == 1 ? " frame is marked invalid and was left out"
                                      : " frames are marked invalid and were left out"));
  if (alignment > 0)
    scan.notes.push_back(std::to_string(alignment) +
                         (alignment == 1 ? " frame was" : " frames were") +
                         " taken for alignment (image_key_control is -1) and left out");
  take_translations(*file, data, data.size[0], indices[0], nxtomo_axes(*file, data, request), scan);
  const auto frames = [&](std::size_t key) {
    return indices[key].empty() ? nullptr : chosen_data_set_frames(file, data, indices[key]);
  };
  scan.projections = frames(0);
  scan.flats = frames(1);
  scan.darks = frames(2);
  scan.assumptions.push_back({"projections", data.path, "the file is NXtomo"});
  say_scaling(data, scan.assumptions);
  scan.angles_deg = angles_for(request, {scan.projections->frames()}, scan.assumptions, [&] {
    return angles_of_nxtomo(*file, data, indices[0], request.data_sets.angles, scan);
  });
  return scan;
}

/// What the file, or the user, says of the projections.
struct Found {
  const Hdf5Dataset* frames = nullptr;
  const Hdf5Dataset* keys = nullptr;            ///< of an NXtomo; else null
  std::vector<const Hdf5Dataset*> others = {};  ///< frames of further entries with keys
};

/// Returns the projections of a file that follows a convention; nothing of others. Of several
/// entries, the attribute "default" of the file tells which counts, else it is the first one.
Found by_convention(const Hdf5File& file) {
  const auto* exchange = file.find(exchange_path);
  if (exchange != nullptr && exchange->size.size() == 3) return {exchange, nullptr};
  if (const Hdf5Dataset* of_cil = data_of_cil(file)) return {of_cil, nullptr};
  const std::string chosen = "/" + file.text_attribute("/", "default").value_or("") + "/";
  std::vector<const Hdf5Dataset*> marked;
  for (const Hdf5Dataset& one : file.datasets())
    if (image_keys_of(file, one) != nullptr) marked.push_back(&one);
  if (marked.empty()) return {};
  const auto by_default = std::ranges::find_if(
      marked, [&](const Hdf5Dataset* one) { return one->path.starts_with(chosen); });
  Found found;
  found.frames = by_default != marked.end() ? *by_default : marked.front();
  found.keys = image_keys_of(file, *found.frames);
  for (const Hdf5Dataset* one : marked)
    if (entry_of(one->path) != entry_of(found.frames->path)) found.others.push_back(one);
  return found;
}

Found projections_in(const Hdf5File& file, const DataSetPaths& given) {
  Found found;
  if (given.projections.empty()) found = by_convention(file);
  if (found.frames != nullptr) return found;
  found.frames = given.projections.empty() ? &only_data_set(file, given)
                                           : &named_data_set(file, given.projections, 2, 3);
  found.keys = image_keys_of(file, *found.frames);
  if (found.keys == nullptr) require_key_for_each(file, *found.frames, "image_key");
  return found;
}

/// Notes numbers beside the frames that may scale them, as NXdata names fields for that.
void note_scaling_fields(const Hdf5File& file, const Hdf5Dataset& frames,
                         std::vector<std::string>& notes) {
  const std::string group = frames.path.substr(0, frames.path.rfind('/') + 1);
  for (const auto& [field, neutral] : {std::pair("scaling_factor", 1.0), {"offset", 0.0}})
    for (const std::string& name : {std::string(field), frames.name() + "_" + field}) {
      const Hdf5Dataset* found = file.find(group + name);
      if (found == nullptr || !found->is_number || found->elements() != 1) continue;
      const double value = file.numbers(*found)[0];
      if (value != neutral)
        notes.push_back(found->path + ", " + format_param(value) + ", which may scale " +
                        frames.path + ", was left out: only attributes of the frames scale them");
    }
}

RawScan read_hdf5(const ImportRequest& asked) {
  ImportRequest request = asked;
  request.path = file_of_scan(asked.path);
  const auto file = std::make_shared<const Hdf5File>(request.path, request.interrupt);
  const AlsImages als = request.data_sets.projections.empty() ? als_images(*file) : AlsImages{};
  const auto [frames, keys, others] = als.projections.empty()
                                          ? projections_in(*file, request.data_sets)
                                          : Found{als.projections.front().data};
  FrameAxes axes = usual_axes;
  RawScan scan = !als.projections.empty()       ? als_scan(file, als, request)
                 : frames == data_of_cil(*file) ? cil_scan(file, *frames, request, axes)
                 : keys != nullptr              ? nxtomo(file, *frames, *keys, request)
                 : frames->path == exchange_path && frames->size.size() == 3
                     ? data_exchange(file, *frames, request, axes)
                     : plain_hdf5(file, *frames, request, axes);
  take_given_frames(scan, file, *frames, axes,
                    with_reduced_beside(request, entry_of(frames->path), scan));
  if (als.projections.empty())
    take_lengths(*file, *frames, request.pixel_mm > 0 || !request.geometry.empty(), scan);
  note_scaling_fields(*file, *frames, scan.notes);
  for (const Hdf5Dataset* other : others)
    scan.notes.push_back(other->path + " (" + other->size_text() +
                         ") is a scan of its own and was left out; --data names it");
  if (request.path != asked.path)
    scan.assumptions.push_back({"file of the scan",
                                std::filesystem::path(request.path).filename().string(),
                                "its averaged flats or darks lie beside it"});
  for (const std::string& link : file->dangling())
    scan.notes.push_back("a link leads nowhere: " + link);
  return scan;
}

std::vector<DataSetEntry> data_sets_in(const std::string& path, const Interrupt* interrupt) {
  const Hdf5File file(file_of_scan(path), interrupt);
  std::vector<DataSetEntry> entries;
  for (const Hdf5Dataset& one : file.datasets())
    if (one.has_dimensions(1, 3)) entries.push_back({one.path, one.size_text()});
  const auto possible = possible_projections(file, {});
  if (possible.size() < 2 || by_convention(file).frames != nullptr ||
      !als_images(file).projections.empty())
    return entries;
  const auto* largest = *std::ranges::max_element(
      possible, {}, [](const Hdf5Dataset* one) { return one->elements(); });
  std::ranges::find(entries, largest->path, &DataSetEntry::path)->is_largest_of_several = true;
  return entries;
}

}  // namespace

ImportFormat hdf5_frames_format() {
  ImportFormat format;
  format.key = "hdf5_frames";
  format.label = "HDF5 (NXtomo, DataExchange, data sets by path)";
  format.extensions = extensions_of_hdf5;
  format.is_folder = true;
  format.judge_folder = [](const std::string& folder) {
    return scans_with_reduced(folder).empty() ? Certainty::none : Certainty::named;
  };
  format.magic = [](std::string_view start) {
    return is_hdf5(start) ? Certainty::certain : Certainty::none;
  };
  format.has_open_images = format.has_open_axes = true;
  format.data_sets = data_sets_in;
  format.read = read_hdf5;
  format.frames = hdf5_frames_of;
  return format;
}

}  // namespace gantry
