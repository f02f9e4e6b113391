#include "core/io/imports/folders/frame_files.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/geometries/plain_table.hpp"
#include "core/io/imports/folders/named_files.hpp"
#include "core/io/imports/folders/projection_series.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/called_slices.hpp"
#include "core/io/imports/names/doubtful_roles.hpp"
#include "core/io/imports/names/file_copies.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/file_numbers.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/name_numbers.hpp"
#include "core/io/imports/names/name_times.hpp"
#include "core/io/imports/names/named_projections.hpp"
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

/// Finds the places of flats and darks that the counter of the projections counts as well, such as
/// scan_0020_ref.tif between scan_0019_proj.tif and scan_0021_proj.tif. Numbers that projections
/// have, too, are those of a counter of their own.
void find_counted(FrameFiles& files) {
  if (files.positions.empty()) return;
  const NumberedName series = numbered(files.projections.front());
  std::vector<int> counted;
  for (const auto* paths : {&files.flats, &files.darks})
    for (const fs::path& path : whole_paths(*paths)) {
      const NumberedName name = numbered(path);
      if (!name.number || name.before != series.before) continue;
      const int position = *name.number - files.first_number;
      if (std::ranges::binary_search(files.positions, position)) return;
      if (position > 0 && position < files.positions.back()) counted.push_back(position);
    }
  counted.insert(counted.end(), files.given_positions.begin(), files.given_positions.end());
  const std::set<int> places(counted.begin(), counted.end());
  files.given_positions.assign(places.begin(), places.end());
}

/// Takes files as flats or darks by names that others may have, with a note: where nothing else is
/// left out, they are fewer than the projections or `may_be_many`, and no other names say which
/// files are flats or darks.
void take_doubtful(const Groups& left, const std::string& folder, const CountedFiles& count,
                   bool may_be_many, FrameFiles& files) {
  DoubtfulRoles found = doubtful_roles(left, folder, files.projections.front());
  const std::size_t projections = count.of(files.projections);
  const auto are_few = [&](const std::vector<std::string>& paths) {
    return may_be_many || count.of(paths) < projections;
  };
  const bool has_flats = !files.flats.empty(),
             has_darks = !files.darks.empty() || !found.darks.empty();
  std::vector<std::string> all;
  for (const auto& series : found.flats) all.insert(all.end(), series.begin(), series.end());
  if (!are_few(all) || (has_flats && has_darks)) found.flats.clear();
  for (std::vector<std::string>& series : found.flats) {
    if (!has_flats) {
      files.notes.push_back(doubtful_note(series, "flats"));
      files.flats.insert(files.flats.end(), series.begin(), series.end());
    }
    files.doubtful_flats.push_back(std::move(series));
  }
  if (found.darks.empty() || !files.darks.empty() || !are_few(found.darks)) return;
  files.notes.push_back(doubtful_note(found.darks, "darks"));
  files.darks = std::move(found.darks);
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
/// common. `may_be_many`: flats and darks of doubtful names may be more than the projections.
void note_left_out(const Groups& groups, const SetAside& apart, const std::string& folder,
                   const CountedFiles& count, bool may_be_many, FrameFiles& files) {
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
  take_doubtful(left_of(groups, taken_of(files)), folder, count, may_be_many, files);
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
  // Whether these are darks is judged by what they show, and noted then.
  const auto is_doubtful = [&](const std::vector<std::string>& paths) {
    return std::ranges::any_of(files.doubtful_flats, [&](const auto& series) {
      return std::ranges::find(series, paths.front()) != series.end();
    });
  };
  for (const auto& group : apart.groups) note(group, apart.why, apart.remedy);
  for (const auto& group : left) {
    if (copies.paths.contains(group.second.front())) continue;
    if (const std::string& path = group.second.front();
        group.second.size() == 1 && path.ends_with(".npy") && may_be_plain_table(path)) {
      files.tables.push_back(path);
      continue;
    }
    if (!is_doubtful(group.second)) note(group, "", "");
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

/// Sorts the projections by the decimal numbers in their names, and takes these. `point`: the
/// character between their whole part and the others.
void sort_by_decimals(char point, FrameFiles& files) {
  const auto value = [&](const std::string& path) {
    const auto found = decimal(path, point);
    return found ? found->number : static_cast<double>(numbered(path).number.value_or(0));
  };
  std::ranges::stable_sort(files.projections, {}, value);
  std::ranges::transform(files.projections, std::back_inserter(files.decimals), value);
}

/// Throws InputError for images whose names have several numbers of which none counts them.
[[noreturn]] void refuse_uncounted(std::vector<std::string> paths, const std::string& folder) {
  sort_naturally(paths);
  const auto name = [](const std::string& path) { return fs::path(path).filename().string(); };
  throw InputError("holds " + std::to_string(paths.size()) +
                       " images whose names have several numbers, none of which counts them all, "
                       "such as " +
                       name(paths[0]) + " and " + name(paths[1]),
                   folder, "keep one image for each projection, such as the mean of its exposures");
}

FrameFiles list_images(const std::string& folder, const std::vector<std::string>& extensions,
                       const std::vector<std::string>& given, ImageSeries wanted,
                       const CountedFiles& count) {
  require_folder(folder);
  FrameFiles files;
  std::vector<fs::path> others = take_named(folder, extensions, given, files);
  take_named_projections(
      files.flats, files.darks, others, folder, [&](const auto& paths) { return count.of(paths); },
      files.notes);
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
  ProjectionSeries series = choose_projections(groups, files, folder, count);
  files.projections = std::move(series.paths);
  const std::size_t frames = series.frames;
  if (!series.why.empty()) files.why = series.why;
  for (auto* paths : {&files.projections, &files.flats, &files.darks, &files.texts})
    sort_naturally(*paths);
  // Other names are counted in other ways; those that are no projections do not count.
  const auto may_be = [&](const std::vector<std::string>& paths) {
    return series.is_the_longest ||
           std::ranges::find(paths, files.projections.front()) != paths.end();
  };
  if (TimedNames timed = named_by_time(names);
      timed.paths.size() >= std::max(files.projections.size(), frames) && may_be(timed.paths)) {
    take_timed(files, std::move(timed));
    note_left_out(groups, apart, folder, count, !series.is_the_longest, files);
    return files;
  }
  NumberedNames several = numbered_in_several(names, point);
  if (several.paths.size() > many * std::max(files.projections.size(), frames) &&
      may_be(several.paths)) {
    take_numbered(files, std::move(several));
    note_left_out(groups, apart, folder, count, !series.is_the_longest, files);
    return files;
  }
  if (several.uncounted.size() > many * std::max(files.projections.size(), frames) &&
      may_be(several.uncounted))
    refuse_uncounted(std::move(several.uncounted), folder);
  if (files.projections.size() == 1 && frames <= 1 && others.size() >= many &&
      !names_sinogram(fs::path(files.projections.front()).filename().string()))
    throw InputError("holds " + std::to_string(others.size()) +
                         " images whose names do not differ by a number alone",
                     folder, "name the projections as in scan_0001.tif, or give a single file");
  note_left_out(groups, apart, folder, count, !series.is_the_longest, files);
  if (!has_decimals) {
    number_projections(files);
    find_given(given, files);
    find_counted(files);
    return files;
  }
  sort_by_decimals(point, files);
  return files;
}

/// Whether a sample among the flats and darks is called as these are.
bool holds_sample(const FrameFiles& files, const std::string& folder) {
  return std::ranges::any_of(std::array{&files.flats, &files.darks}, [&](const auto* paths) {
    return std::ranges::any_of(*paths, [&](const std::string& path) {
      return names_more(fs::path(path).lexically_relative(folder).replace_extension().string());
    });
  });
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
  const bool has_images =
      !take_named(folder, {extensions_of_images.begin(), extensions_of_images.end()}, {}, images)
           .empty();
  const bool has_own_beam = !files.flats.empty() || !files.darks.empty(),
             has_beam = has_own_beam || !images.flats.empty() || !images.darks.empty();
  if (has_own_beam && !has_images && others.size() + files.flats.size() + files.darks.size() > 1)
    return !others.empty() || holds_sample(files, folder);
  if (others.empty()) return false;
  // A single array may be a volume, unless its name or what lies beside it tells.
  const fs::path within = others.front().lexically_relative(folder).replace_extension();
  const bool is_told =
      has_beam || !files.tables.empty() || std::ranges::any_of(files.texts, names_angles) ||
      called_image(within) == CalledImage::projection || names_sinogram(within.filename().string());
  return (is_told && others.size() == 1) ||
         largest_of(grouped(others, std::nullopt))->second.size() > 1;
}

FrameFiles list_frame_files(const std::string& folder, const std::vector<std::string>& extensions,
                            const std::vector<std::string>& given, ImageSeries wanted,
                            const FrameCounter& count) {
  FrameFiles files = list_images(folder, extensions, given, wanted, CountedFiles(count));
  take_others(folder, extensions, given, files);
  if (wanted == ImageSeries::slices) leave_out_tables(folder, files);
  return files;
}

}  // namespace gantry
