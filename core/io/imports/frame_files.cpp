#include "core/io/imports/frame_files.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/name_numbers.hpp"
#include "core/io/imports/names/name_times.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Of lists of angles, which their names must call so.
constexpr std::array<std::string_view, 4> extensions_of_lists = {".tsv", ".dat", ".ang", ".npy"};

/// A file name around its last number: "raw_", 12, ".tiff".
struct NumberedName {
  std::string before, after;
  std::optional<int> number;
  bool has_time = false;  ///< a number that is too long to count files, as those of times are
};

/// `prefix` characters belong to no number: "Scan12" in "Scan120001.tif".
NumberedName numbered(const fs::path& path, std::size_t prefix = 0) {
  const std::string name = path.filename().string(), stem = path.stem().string();
  std::size_t end = stem.size();
  while (end > 0 && !is_digit(stem[end - 1])) --end;
  std::size_t begin = end;
  while (begin > prefix && is_digit(stem[begin - 1])) --begin;
  const std::size_t first = std::min(stem.find_first_not_of('0', begin), end);
  if (begin == end) return {name, {}, std::nullopt};
  if (end - first > 9) return {stem.substr(0, begin), name.substr(end), std::nullopt, true};
  const int number = first == end ? 0 : std::stoi(stem.substr(first, end - first));
  return {stem.substr(0, begin), name.substr(end), number};
}

/// A file name around a decimal number at its end, or one with a sign: "img_", 12.5, ".tif".
/// Nothing without one. `point`: the character of decimal numbers.
struct DecimalName {
  std::string before, after;
  double number = 0;
  bool has_sign = false;
};
std::optional<DecimalName> decimal(const fs::path& path, char point) {
  const std::string name = path.filename().string(), stem = path.stem().string();
  std::size_t begin = stem.size();
  const auto to_begin_of_digits = [&] {
    while (begin > 0 && is_digit(stem[begin - 1])) --begin;
  };
  to_begin_of_digits();
  if (begin == stem.size()) return std::nullopt;
  const bool has_point = begin > 1 && stem[begin - 1] == point && is_digit(stem[begin - 2]);
  if (has_point) {
    --begin;
    to_begin_of_digits();
  }
  const bool has_sign = ends_with_sign(std::string_view(stem).substr(0, begin));
  if (!has_point && !has_sign) return std::nullopt;
  if (has_sign) --begin;
  std::string digits = stem.substr(begin);
  std::ranges::replace(digits, point, '.');
  std::string_view text = digits;
  const std::optional<double> number = take_number(text);
  if (!number || !text.empty()) return std::nullopt;
  return DecimalName{stem.substr(0, begin), name.substr(stem.size()), *number, has_sign};
}

/// Files by what their names have in common.
using Groups = std::map<std::string, std::vector<std::string>>;

Groups::const_iterator largest_of(const Groups& groups) {
  return std::ranges::max_element(groups, {},
                                  [](const auto& group) { return group.second.size(); });
}

/// Returns the key of a file in groups whose names differ in their last number alone;
/// `point`: in a decimal one with this character.
std::string group_of(const fs::path& path, std::optional<char> point) {
  const NumberedName name = numbered(path);
  const auto with_point = point ? decimal(path, *point) : std::nullopt;
  const std::string pattern =
      with_point ? with_point->before + "#" + with_point->after
                 : name.before + (name.number || name.has_time ? "#" : "") + name.after;
  return (path.parent_path() / pattern).string();
}

/// Returns the file that comes before a series of files of many pages, as programs of cameras write
/// them: scan.tif before scan@0001.tif, stack.ome.tif before stack_1.ome.tif; nothing of others.
std::optional<std::string> file_before(const fs::path& numbered_file) {
  const NumberedName name = numbered(numbered_file);
  const bool is_of_series =
      name.number && name.before.size() > 1 &&
      (name.before.ends_with('@') ||
       (name.before.ends_with('_') && lower_case(name.after).starts_with(".ome.")));
  if (!is_of_series || *name.number == 0) return std::nullopt;
  const std::string base = name.before.substr(0, name.before.size() - 1) + name.after;
  return (numbered_file.parent_path() / base).string();
}

/// Puts the files that begin a series into the group of the series.
void join_series(Groups& groups, std::optional<char> point) {
  std::vector<std::pair<std::string, std::string>> moves;  // the file, the group of its series
  for (const auto& [key, paths] : groups) {
    const bool has_zero = std::ranges::any_of(
        paths, [](const std::string& path) { return numbered(path).number == 0; });
    if (const auto first = file_before(paths.front()); first && !has_zero)
      moves.emplace_back(*first, key);
  }
  for (const auto& [path, key] : moves) {
    const auto from = groups.find(group_of(path, point));
    if (from == groups.end() || std::erase(from->second, path) == 0) continue;
    if (from->second.empty()) groups.erase(from);
    groups[key].insert(groups[key].begin(), path);
  }
}

/// Groups files whose names differ in their last number alone; `point`: in a decimal one.
Groups grouped(const std::vector<fs::path>& paths, std::optional<char> point) {
  Groups groups;
  for (const fs::path& path : paths) groups[group_of(path, point)].push_back(path.string());
  join_series(groups, point);
  return groups;
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

/// Takes files that are all called flats, or all darks, as projections: a sample may be named so.
/// Throws InputError for others.
void take_named_as_projections(FrameFiles& files, std::vector<fs::path>& projections,
                               const std::string& folder) {
  const std::size_t flats = files.flats.size(), darks = files.darks.size();
  if ((flats == 0) == (darks == 0) || flats + darks == 1)
    throw InputError(
        "holds no projections" + (flats + darks == 0 ? std::string()
                                                     : ": by their names, its images are flats (" +
                                                           std::to_string(flats) + ") and darks (" +
                                                           std::to_string(darks) + ")"),
        folder, "give a folder of image files whose names differ by a number");
  auto& named = files.flats.empty() ? files.darks : files.flats;
  files.notes.push_back("all images are named as " +
                        std::string(files.flats.empty() ? "darks" : "flats") +
                        ": they were taken as the projections");
  projections.assign(named.begin(), named.end());
  named.clear();
}

/// Takes files as flats or darks by names of two letters: where nothing else is left out, they are
/// fewer than the projections, and no other names say which files are flats or darks.
void take_short_names(const Groups& groups, FrameFiles& files) {
  const std::set<std::string> taken(files.projections.begin(), files.projections.end());
  std::vector<std::string> flats, darks;
  for (const auto& [pattern, paths] : groups) {
    if (taken.contains(paths.front())) continue;
    const bool is_flat = std::ranges::all_of(paths, may_name_flat);
    if (!is_flat && !std::ranges::all_of(paths, may_name_dark)) return;
    auto& role = is_flat ? flats : darks;
    role.insert(role.end(), paths.begin(), paths.end());
  }
  const auto take = [&](std::vector<std::string>& found, std::vector<std::string>& into) {
    if (!into.empty() || found.size() >= files.projections.size()) return;
    sort_naturally(found);
    into = std::move(found);
  };
  take(flats, files.flats);
  take(darks, files.darks);
}

/// Notes the files that are neither projections nor flats or darks, by what their names have in
/// common.
void note_left_out(const Groups& groups, const std::string& folder, FrameFiles& files) {
  take_short_names(groups, files);
  std::set<std::string> taken;
  for (const auto* paths : {&files.projections, &files.flats, &files.darks})
    taken.insert(paths->begin(), paths->end());
  for (const auto& [pattern, paths] : groups) {
    if (taken.contains(paths.front())) continue;
    const std::string name = fs::path(pattern).lexically_relative(folder).string(),
                      count =
                          std::to_string(paths.size()) + (paths.size() == 1 ? " file" : " files");
    files.notes.push_back(count + (paths.size() == 1 ? " was" : " were") + " left out: " + name);
    files.left_out.push_back(name + " (" + count + ")");
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

bool names_angles(const std::string& path) {
  const std::string name = lower_case(fs::path(path).stem().string());
  return name.find("angle") != std::string::npos || name.find("theta") != std::string::npos;
}

bool names_sinogram(const std::string& name) {
  const std::string lower = lower_case(name);
  return has_word(lower, "sino") || has_word(lower, "sinogram");
}

bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0, k = 0;
  while (i < a.size() && k < b.size()) {
    if (!is_digit(a[i]) || !is_digit(b[k])) {
      if (a[i] != b[k]) return a[i] < b[k];
      ++i;
      ++k;
      continue;
    }
    const auto end_of = [](const std::string& text, std::size_t at) {
      while (at < text.size() && is_digit(text[at])) ++at;
      return at;
    };
    const auto skip_zeros = [](const std::string& text, std::size_t at, std::size_t end) {
      while (at + 1 < end && text[at] == '0') ++at;
      return at;
    };
    const std::size_t end_a = end_of(a, i), end_b = end_of(b, k), from_a = skip_zeros(a, i, end_a),
                      from_b = skip_zeros(b, k, end_b);
    if (end_a - from_a != end_b - from_b) return end_a - from_a < end_b - from_b;
    const int order = a.compare(from_a, end_a - from_a, b, from_b, end_b - from_b);
    if (order != 0) return order < 0;
    i = end_a;
    k = end_b;
  }
  const std::size_t rest_a = a.size() - i, rest_b = b.size() - k;
  return rest_a != rest_b ? rest_a < rest_b : a < b;
}

bool holds_frame_files(const std::string& folder, const std::vector<std::string>& extensions) {
  return std::ranges::any_of(files_below(folder, 1), [&](const fs::path& path) {
    return std::ranges::count(extensions, lower_case(path.extension().string())) > 0;
  });
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

std::string names_of(const std::vector<std::string>& paths) {
  const std::string first = fs::path(paths.front()).filename().string();
  return paths.size() == 1 ? first
                           : first + " to " + fs::path(paths.back()).filename().string() + ", " +
                                 std::to_string(paths.size()) + " files";
}

namespace {

/// Takes arrays of NumPy whose names say that they are flats or darks, where no images are named
/// so; notes others.
void take_arrays(const std::string& folder, const std::vector<std::string>& given,
                 FrameFiles& files) {
  const std::set<fs::path> excluded = whole_paths(given);
  std::vector<std::string> flats, darks;
  for (const fs::path& path : files_below(folder, 1)) {
    const std::string extension = lower_case(path.extension().string()),
                      name = path.lexically_relative(folder).string();
    if (is_one_of(excluded, path)) continue;
    if (names_angles(name) && (extension == ".npz" || extension == ".mat" || extension == ".json"))
      files.notes.push_back(name +
                            " is called a list of angles, but was not read: beside images, this is "
                            "a text or an array of NumPy (.npy)");
    if ((extension != ".npy" && extension != ".npz") || names_angles(name)) continue;
    const std::string within = fs::path(name).replace_extension().string();
    if (names_dark(within) && files.darks.empty()) {
      darks.push_back(path.string());
    } else if (!names_dark(within) && names_flat(within) && files.flats.empty()) {
      flats.push_back(path.string());
    } else {
      files.notes.push_back("1 file was left out: " + name);
      files.left_out.push_back(name + " (1 file)");
    }
  }
  for (auto* found : {&flats, &darks}) sort_naturally(*found);
  if (!flats.empty()) files.flats = std::move(flats);
  if (!darks.empty()) files.darks = std::move(darks);
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
    if (extension == ".txt" || extension == ".csv" ||
        (names_angles(within) && std::ranges::count(extensions_of_lists, extension) > 0))
      files.texts.push_back(path.string());
    if (std::ranges::find(extensions, extension) == extensions.end()) continue;
    if (is_one_of(excluded, path)) continue;
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

FrameFiles list_images(const std::string& folder, const std::vector<std::string>& extensions,
                       const std::vector<std::string>& given) {
  require_folder(folder);
  FrameFiles files;
  std::vector<fs::path> others = take_named(folder, extensions, given, files);
  if (others.empty()) take_named_as_projections(files, others, folder);
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
    note_left_out(groups, folder, files);
    return files;
  }
  NumberedNames several = numbered_in_several(names, point);
  if (several.paths.size() > many * files.projections.size()) {
    take_numbered(files, std::move(several));
    note_left_out(groups, folder, files);
    return files;
  }
  if (files.projections.size() == 1 && others.size() >= many &&
      !names_sinogram(fs::path(files.projections.front()).filename().string()))
    throw InputError("holds " + std::to_string(others.size()) +
                         " images whose names do not differ by a number alone",
                     folder, "name the projections as in scan_0001.tif, or give a single file");
  note_left_out(groups, folder, files);
  if (!has_decimals) {
    number_projections(files);
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

FrameFiles list_frame_files(const std::string& folder, const std::vector<std::string>& extensions,
                            const std::vector<std::string>& given) {
  FrameFiles files = list_images(folder, extensions, given);
  take_arrays(folder, given, files);
  return files;
}

}  // namespace gantry
