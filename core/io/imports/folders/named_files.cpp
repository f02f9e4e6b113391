#include "core/io/imports/folders/named_files.hpp"

#include "core/base/error.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/geometries/plain_table.hpp"
#include "core/io/geometries/table_kinds.hpp"
#include "core/io/imports/names/angle_names.hpp"
#include "core/io/imports/names/flat_series.hpp"
#include "core/io/imports/names/frame_roles.hpp"
#include "core/io/imports/names/natural_order.hpp"
#include "core/io/imports/tables/lines_of_numbers.hpp"

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

namespace gantry {

namespace fs = std::filesystem;

namespace {

/// Of lists of angles, which their names must call so.
constexpr std::array<std::string_view, 4> extensions_of_lists = {".tsv", ".dat", ".ang", ".npy"};
/// Of files that may hold angles, but are not read beside images.
constexpr std::array<std::string_view, 9> extensions_unread = {
    ".npz", ".mat", ".xml", ".yaml", ".h5", ".hdf5", ".xls", ".xlsx", ".ods"};

bool is_any(std::string_view extension, std::span<const std::string_view> known) {
  return std::ranges::find(known, extension) != known.end();
}

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

/// Whether a file of a folder of images is read as a list of angles: as a text by its extension, or
/// by its name, where it is no image and has lines of numbers.
bool is_list(const std::string& path, const std::string& extension, bool is_image) {
  if (extension == ".txt" || extension == ".csv") return true;
  if (!names_angles(path)) return false;
  if (is_any(extension, extensions_of_lists)) return true;
  return !is_image && !is_any(extension, extensions_of_images) &&
         !is_any(extension, extensions_unread) && lines_of_numbers(path) > 1;
}

/// Whether an array in a folder of arrays is a table of a geometry: by a name that says so, or, of
/// those that no number counts, as one of matrices, which are no images.
bool is_table_among_arrays(const fs::path& path) {
  if (names_geometry(path)) return may_be_plain_table(path);
  return std::ranges::none_of(path.stem().string(), is_digit) && has_shape_of_matrices(path);
}

}  // namespace

void require_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw InputError("is no folder", folder, "give the folder that holds the frames");
}

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
    else if (is_array && may_be_plain_table(path))
      files.tables.push_back(path.string());
    else if (is_array || names_dark(within))
      leave_out_array(path, folder, files);
  }
  sort_naturally(darks);
  if (!flats.empty()) take_flats(std::move(flats), folder, files);
  if (!darks.empty()) files.darks = std::move(darks);
}

void leave_out_tables(const std::string& folder, FrameFiles& files) {
  for (const std::string& path : files.tables) leave_out_array(path, folder, files);
  files.tables.clear();
}

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
    } else if (extension == ".npy" && is_table_among_arrays(path)) {
      files.tables.push_back(path.string());
    } else {
      others.push_back(path);
    }
  }
  return others;
}

std::vector<std::string> with_images_of_folders(const std::vector<std::string>& given,
                                                bool are_darks) {
  std::vector<std::string> files;
  for (const std::string& path : given) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> images;
    for (const fs::path& one : files_below(path, 0)) {
      const std::string extension = lower_case(one.extension().string());
      if (is_any(extension, extensions_of_images) || is_any(extension, extensions_of_arrays))
        images.push_back(one.string());
    }
    if (images.empty())
      throw InputError("holds no images (TIFF, EDF) and no arrays of NumPy", path,
                       "give the folder of the flats or darks, or their files");
    const auto is_dark = [](const std::string& image) {
      return names_dark(fs::path(image).stem().string());
    };
    const auto darks = static_cast<std::size_t>(std::ranges::count_if(images, is_dark));
    if (darks > 0 && darks < images.size())
      std::erase_if(images, [&](const std::string& image) { return is_dark(image) != are_darks; });
    sort_naturally(images);
    files.insert(files.end(), images.begin(), images.end());
  }
  return files;
}

NamedBeam beam_in(const std::string& folder, const std::vector<std::string>& extensions,
                  const std::vector<std::string>& taken) {
  NamedBeam beam;
  const std::set<fs::path> known = whole_paths(taken);
  for (const fs::path& path : files_below(folder, 1)) {
    const fs::path within = path.lexically_relative(folder).replace_extension();
    const bool is_image =
        std::ranges::find(extensions, lower_case(path.extension().string())) != extensions.end();
    if (!is_image || is_one_of(known, path) || names_more(within.parent_path().string())) continue;
    if (names_dark(within.string()))
      beam.darks.push_back(path.string());
    else if (names_flat(within.string()))
      beam.flats.push_back(path.string());
  }
  sort_naturally(beam.flats);
  sort_naturally(beam.darks);
  return beam;
}

}  // namespace gantry
