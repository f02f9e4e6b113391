#include "core/io/imports/frame_files.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/called_slices.hpp"
#include "core/io/imports/names/doubtful_roles.hpp"
#include "core/io/imports/names/file_copies.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/file_numbers.hpp"
#include "core/io/imports/names/flat_series.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/name_numbers.hpp"
#include "core/io/imports/names/name_times.hpp"
#include "core/io/imports/names/named_projections.hpp"
#include "core/io/imports/names/natural_order.hpp"
#include "core/io/imports/names/other_scans.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Of lists of angles, which their names must call so.
constexpr std::array<std::string_view, 4> extensions_of_lists = {".tsv", ".dat", ".ang", ".npy"};
/// Of flats and darks beside images of another format; files of arrays that are not taken are
/// noted.
constexpr std::array<std::string_view, 3> extensions_of_images = {".tif", ".tiff", ".edf"};
constexpr std::array<std::string_view, 2> extensions_of_arrays = {".npy", ".npz"};
/// Of files that may hold angles, but are not read beside images.
constexpr std::array<std::string_view, 10> extensions_unread = {
    ".npz", ".mat", ".json", ".xml", ".yaml", ".h5", ".hdf5", ".xls", ".xlsx", ".ods"};

bool is_any(std::string_view extension, std::span<const std::string_view> known) {
  return std::ranges::find(known, extension) != known.end();
}

void require_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError("is no folder", folder, "give the folder that holds the frames");
}

/// Returns the regular files of a folder and of the folders `depth` levels below it.
std::vector<fs::path> files_below(const std::string& folder, int depth) {
  std::vector<fs::path> files;
  constexpr auto options = fs::directory_options::skip_permission_denied;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, options, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() >= depth) at.disable_recursion_pending();
    std::error_code of_file;
    if (at->is_regular_file(of_file) && !at->path().filename().string().starts_with('.'))
      files.push_back(at->path());
  }
  if (error) throw InputError("cannot be listed: " + error.message(), folder, "check its rights");
  return files;
}

void sort_naturally(std::vector<std::string>& paths) { std::ranges::sort(paths, natural_less); }

/// Takes the numbers of the projections, which are sorted by them, and leaves out double ones.
void number_projections(FrameFiles& files, std::size_t prefix = 0) {
  std::vector<std::string> kept;
  const bool has_first =
      files.projections.size() > 1 && file_before(files.projections[1]) == files.projections[0];
  for (const std::string& path : files.projections) {
    NumberedName name = numbered(path, prefix);
    if (has_first && path == files.projections[0]) name.number = 0;
    if (!name.number) {
      files.positions.clear();
      return;
    }
    if (kept.empty()) files.first_number = *name.number;
    const int position = *name.number - files.first_number;
    if (!kept.empty() && position <= files.positions.back()) {
      files.notes.push_back("frame " + std::to_string(*name.number) + " is there twice: " +
                            fs::path(path).filename().string() + " was left out");
      continue;
    }
    files.positions.push_back(position);
    kept.push_back(path);
  }
  files.projections = std::move(kept);
}

/// The whole paths of files, by which they are told apart however they are written.
std::set<fs::path> whole_paths(const std::vector<std::string>& paths) {
  std::set<fs::path> whole;
  for (const std::string& path : paths) {
    std::error_code error;
    whole.insert(fs::weakly_canonical(path, error));
  }
  return whole;
}

bool is_one_of(const std::set<fs::path>& whole, const fs::path& path) {
  std::error_code error;
  return !whole.empty() && whole.contains(fs::weakly_canonical(path, error));
}

/// Finds the places of files in the series of the projections that are `given` as flats or darks.
void find_given(const std::vector<std::string>& given, FrameFiles& files) {
  if (files.positions.empty()) return;
  const NumberedName series = numbered(files.projections.front());
  const fs::path folder = whole_paths({files.projections.front()}).begin()->parent_path();
  for (const fs::path& path : whole_paths(given)) {
    const NumberedName name = numbered(path);
    if (name.number && name.before == series.before && name.after == series.after &&
        path.parent_path() == folder)
      files.given_positions.push_back(*name.number - files.first_number);
  }
  std::ranges::sort(files.given_positions);
}

/// Takes files as flats or darks by names that others may have, with a note: where nothing else is
/// left out, they are fewer than the projections, and no other names say which files are flats or
/// darks.
void take_doubtful(const Groups& left, const std::string& folder, FrameFiles& files) {
  DoubtfulRoles found = doubtful_roles(left, folder, files.projections.front());
  const auto take = [&](std::vector<std::string>& paths, std::vector<std::string>& into,
                        const char* role) {
    if (paths.empty() || !into.empty() || paths.size() >= files.projections.size()) return;
    files.notes.push_back(doubtful_note(paths, role));
    files.has_doubtful_flats = files.has_doubtful_flats || &into == &files.flats;
    into = std::move(paths);
  };
  take(found.flats, files.flats, "flats");
  take(found.darks, files.darks, "darks");
}

std::set<std::string> taken_of(const FrameFiles& files) {
  std::set<std::string> taken;
  for (const auto* paths : {&files.projections, &files.flats, &files.darks})
    taken.insert(paths->begin(), paths->end());
  return taken;
}

/// Returns the groups of files that are not taken.
Groups left_of(const Groups& groups, const std::set<std::string>& taken) {
  Groups left;
  std::ranges::copy_if(groups, std::inserter(left, left.end()),
                       [&](const auto& group) { return !taken.contains(group.second.front()); });
  return left;
}

/// Images that are set aside since their names say that they are none of those that are wanted.
struct SetAside {
  Groups groups = {};
  std::string why = {}, remedy = {};  ///< for notes
};

/// Takes out images that are none of the wanted series by their names: slices beside projections,
/// or what lies beside slices.
SetAside set_aside(std::vector<fs::path>& images, const std::string& folder, ImageSeries wanted) {
  std::vector<fs::path> slices = take_slices(images, folder);
  if (wanted == ImageSeries::projections)
    return {grouped(slices, std::nullopt), " as reconstructed slices by their names",
            "; if they are projections, import a folder that holds them alone"};
  if (slices.empty()) return {};
  images.swap(slices);
  return {grouped(slices, std::nullopt)};
}

/// Notes the files that are neither projections nor flats or darks, by what their names have in
/// common.
void note_left_out(const Groups& groups, const SetAside& apart, const std::string& folder,
                   FrameFiles& files) {
  std::vector<std::string> images;
  for (const Groups* some : {&groups, &apart.groups})
    for (const auto& [pattern, paths] : *some)
      images.insert(images.end(), paths.begin(), paths.end());
  const std::array<FilesOfKind, 3> kinds = {
      {{"flat", &files.flats}, {"dark", &files.darks}, {"text", &files.texts}}};
  for (const auto& taken : take_out_other_scans(folder, images, files.projections, kinds)) {
    files.notes.push_back(
        taken.what + (taken.count == 1 ? " was left out: it lies" : " were left out: they lie") +
        " beside images of another scan");
    files.left_out.push_back(taken.what);
  }
  take_doubtful(left_of(groups, taken_of(files)), folder, files);
  const std::set<std::string> taken = taken_of(files);
  const Groups left = left_of(groups, taken);
  std::vector<std::string> others;
  for (const auto& [pattern, paths] : left) others.insert(others.end(), paths.begin(), paths.end());
  const FileCopies copies = copies_among(others, taken);
  if (!copies.note.empty()) files.notes.push_back(copies.note);
  const auto name_of = [&](const auto& group) {
    return fs::path(group.first).lexically_relative(folder).string();
  };
  const auto count_of = [](const auto& group) {
    return std::to_string(group.second.size()) + (group.second.size() == 1 ? " file" : " files");
  };
  const auto note = [&](const auto& group, const std::string& why, const std::string& remedy) {
    files.notes.push_back(count_of(group) + (group.second.size() == 1 ? " was" : " were") +
                          " left out" + why + ": " + name_of(group) + remedy);
  };
  for (const auto& group : apart.groups) note(group, apart.why, apart.remedy);
  for (const auto& group : left) {
    if (copies.paths.contains(group.second.front())) continue;
    note(group, "", "");
    files.left_out.push_back(name_of(group) + " (" + count_of(group) + ")");
  }
}

/// Takes the projections whose names differ in several numbers.
void take_numbered(FrameFiles& files, NumberedNames names) {
  files.projections = std::move(names.paths);
  files.decimals = std::move(names.decimals);
  if (names.counters.empty()) return;
  files.first_number = names.counters.front();
  for (const int counter : names.counters) files.positions.push_back(counter - files.first_number);
}

/// Takes the projections that are named by their times, which do not count them.
void take_timed(FrameFiles& files, TimedNames names) {
  for (std::string& note : notes_on_times(names)) files.notes.push_back(std::move(note));
  files.projections = std::move(names.paths);
}

}  // namespace

bool goes_on_in_others(const std::string& path) {
  const fs::path file(path);
  const std::string name = file.filename().string(), stem = file.stem().string(),
                    end = name.substr(stem.size());
  std::error_code error;
  for (const char* number : {"@0001", "@001", "@01", "@1"})
    if (fs::exists(file.parent_path() / (stem + number + end), error)) return true;
  return false;
}

bool names_sinogram(const std::string& name) {
  const std::string lower = lower_case(name);
  return has_word(lower, "sino") || has_word(lower, "sinogram");
}

FrameFiles list_numbered_files(const std::string& folder, const std::string& prefix,
                               const std::vector<std::string>& extensions,
                               const std::vector<std::string>& given) {
  require_folder(folder);
  FrameFiles files;
  const std::set<fs::path> excluded = whole_paths(given);
  for (const fs::path& path : files_below(folder, 0)) {
    if (is_one_of(excluded, path)) continue;
    const std::string extension = lower_case(path.extension().string()),
                      stem = path.stem().string();
    if (std::ranges::find(extensions, extension) != extensions.end() &&
        stem.size() > prefix.size() && stem.starts_with(prefix) &&
        std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(prefix.size()), stem.end(),
                    is_digit) &&
        numbered(path.string(), prefix.size()).number)
      files.projections.push_back(path.string());
  }
  sort_naturally(files.projections);
  number_projections(files, prefix.size());
  return files;
}

namespace {

void leave_out_array(const fs::path& path, const std::string& folder, FrameFiles& files) {
  const std::string name = path.lexically_relative(folder).string();
  files.notes.push_back("1 file was left out: " + name);
  files.left_out.push_back(name + " (1 file)");
}

/// Takes the files of another format than the images' that were found as flats: where there are no
/// others, or their names tell together when each was taken. Notes them otherwise.
void take_flats(std::vector<std::string> found, const std::string& folder, FrameFiles& files) {
  std::vector<std::string> all = files.flats;
  all.insert(all.end(), found.begin(), found.end());
  sort_naturally(all);
  if (files.flats.empty() || !views_of_flats(all, 1).empty()) {
    files.flats = std::move(all);
    return;
  }
  for (const std::string& path : found) leave_out_array(path, folder, files);
}

/// Takes files of other formats than the images' whose names say that they are flats or darks,
/// where no images are named so; notes other arrays.
void take_others(const std::string& folder, const std::vector<std::string>& extensions,
                 const std::vector<std::string>& given, FrameFiles& files) {
  const std::set<fs::path> excluded = whole_paths(given);
  std::vector<std::string> flats, darks;
  for (const fs::path& path : files_below(folder, 1)) {
    const std::string extension = lower_case(path.extension().string()),
                      name = path.lexically_relative(folder).string();
    if (is_one_of(excluded, path)) continue;
    if (names_angles(name) && is_any(extension, extensions_unread))
      files.notes.push_back(name +
                            " is called a list of angles, but was not read: beside images, this is "
                            "a text or an array of NumPy (.npy)");
    const bool is_array = is_any(extension, extensions_of_arrays);
    if ((!is_array && !is_any(extension, extensions_of_images)) || names_angles(name) ||
        std::ranges::find(extensions, extension) != extensions.end())
      continue;
    const std::string within = fs::path(name).replace_extension().string();
    if (names_dark(within) && files.darks.empty())
      darks.push_back(path.string());
    else if (!names_dark(within) && names_flat(within))
      flats.push_back(path.string());
    else if (is_array || names_dark(within))
      leave_out_array(path, folder, files);
  }
  sort_naturally(darks);
  if (!flats.empty()) take_flats(std::move(flats), folder, files);
  if (!darks.empty()) files.darks = std::move(darks);
}

/// Whether a file of a folder of images is read as a list of angles: as a text by its extension, or
/// by its name, where it is no image and has lines of numbers.
bool is_list(const std::string& path, const std::string& extension, bool is_image) {
  if (extension == ".txt" || extension == ".csv") return true;
  if (!names_angles(path)) return false;
  if (is_any(extension, extensions_of_lists)) return true;
  return !is_image && !is_any(extension, extensions_of_images) &&
         !is_any(extension, extensions_unread) && lines_of_numbers(path) > 1;
}

/// Takes flats, darks and texts by their names, and returns the other images, except those `given`.
std::vector<fs::path> take_named(const std::string& folder,
                                 const std::vector<std::string>& extensions,
                                 const std::vector<std::string>& given, FrameFiles& files) {
  std::vector<fs::path> others;
  const std::set<fs::path> excluded = whole_paths(given);
  for (const fs::path& path : files_below(folder, 2)) {
    const std::string extension = lower_case(path.extension().string());
    const std::string within = path.lexically_relative(folder).replace_extension().string();
    // Two levels below lie flats and darks alone: flats/before/1.tif. Others may be of other scans.
    const std::string top = within.substr(0, within.find('/'));
    if (std::ranges::count(within, '/') > 1 && !names_flat(top) && !names_dark(top)) continue;
    const bool is_image = std::ranges::find(extensions, extension) != extensions.end();
    if (is_list(path.string(), extension, is_image)) {
      files.texts.push_back(path.string());
      continue;
    }
    if (is_one_of(excluded, path)) continue;
    if (!is_image) {
      if (!is_any(extension, extensions_of_images) && !is_any(extension, extensions_of_arrays))
        files.others.push_back(path.string());
      continue;
    }
    if (names_dark(within)) {
      files.darks.push_back(path.string());
    } else if (names_flat(within)) {
      files.flats.push_back(path.string());
    } else {
      others.push_back(path);
    }
  }
  return others;
}

/// Returns whether a folder holds images with other extensions that are no flats or darks by their
/// names.
bool holds_other_projections(const std::string& folder,
                             const std::vector<std::string>& extensions) {
  std::vector<std::string> others;
  for (const auto& known : {std::span<const std::string_view>(extensions_of_images),
                            std::span<const std::string_view>(extensions_of_arrays).first(1)})
    for (const std::string_view one : known)
      if (std::ranges::find(extensions, one) == extensions.end()) others.emplace_back(one);
  return holds_projections(folder, others, {});
}

FrameFiles list_images(const std::string& folder, const std::vector<std::string>& extensions,
                       const std::vector<std::string>& given, ImageSeries wanted) {
  require_folder(folder);
  FrameFiles files;
  std::vector<fs::path> others = take_named(folder, extensions, given, files);
  if (others.empty())
    others = take_named_projections(files.flats, files.darks, folder, files.notes);
  const SetAside apart = set_aside(others, folder, wanted);
  const std::vector<std::string> names(others.begin(), others.end());
  const char point = decimal_point_of(names);
  Groups groups = grouped(others, std::nullopt);
  // Decimal numbers, such as angles, would split frames into a group for each whole part.
  Groups of_decimals = grouped(others, point);
  constexpr std::size_t many = 4;
  const std::vector<std::string>& with_decimals = largest_of(of_decimals)->second;
  const std::size_t without = largest_of(groups)->second.size();
  const bool has_signs = std::ranges::any_of(with_decimals, [&](const std::string& path) {
    return decimal(path, point).value_or(DecimalName{}).has_sign;
  });
  const bool has_decimals = with_decimals.size() > (has_signs || point != '.' ? 1 : many) * without;
  if (has_decimals) groups = std::move(of_decimals);
  files.projections = largest_of(groups)->second;
  for (auto* paths : {&files.projections, &files.flats, &files.darks, &files.texts})
    sort_naturally(*paths);
  if (TimedNames timed = named_by_time(names); timed.paths.size() >= files.projections.size()) {
    take_timed(files, std::move(timed));
    note_left_out(groups, apart, folder, files);
    return files;
  }
  NumberedNames several = numbered_in_several(names, point);
  if (several.paths.size() > many * files.projections.size()) {
    take_numbered(files, std::move(several));
    note_left_out(groups, apart, folder, files);
    return files;
  }
  if (files.projections.size() == 1 && others.size() >= many &&
      !names_sinogram(fs::path(files.projections.front()).filename().string()))
    throw InputError("holds " + std::to_string(others.size()) +
                         " images whose names do not differ by a number alone",
                     folder, "name the projections as in scan_0001.tif, or give a single file");
  note_left_out(groups, apart, folder, files);
  if (!has_decimals) {
    number_projections(files);
    find_given(given, files);
    return files;
  }
  const auto value = [&](const std::string& path) {
    const auto found = decimal(path, point);
    return found ? found->number : static_cast<double>(numbered(path).number.value_or(0));
  };
  std::ranges::stable_sort(files.projections, {}, value);
  std::ranges::transform(files.projections, std::back_inserter(files.decimals), value);
  return files;
}

}  // namespace

bool holds_frame_files(const std::string& folder, const std::vector<std::string>& extensions) {
  FrameFiles files;
  if (!take_named(folder, extensions, {}, files).empty()) return true;
  const bool has_any = !files.flats.empty() || !files.darks.empty();
  return has_any && !holds_other_projections(folder, extensions);
}

bool holds_projections(const std::string& folder, const std::vector<std::string>& extensions,
                       const std::vector<std::string>& given) {
  FrameFiles files;
  return !take_named(folder, extensions, given, files).empty();
}

bool holds_series(const std::string& folder, const std::vector<std::string>& extensions) {
  FrameFiles files, images;
  const std::vector<fs::path> others = take_named(folder, extensions, {}, files);
  if (others.empty()) return false;
  take_named(folder, {extensions_of_images.begin(), extensions_of_images.end()}, {}, images);
  const bool has_beam = !files.flats.empty() || !files.darks.empty() || !images.flats.empty() ||
                        !images.darks.empty();
  const Groups groups = grouped(others, std::nullopt);
  return (has_beam && others.size() == 1) || largest_of(groups)->second.size() > 1;
}

FrameFiles list_frame_files(const std::string& folder, const std::vector<std::string>& extensions,
                            const std::vector<std::string>& given, ImageSeries wanted) {
  FrameFiles files = list_images(folder, extensions, given, wanted);
  take_others(folder, extensions, given, files);
  return files;
}

}  // namespace gantry
