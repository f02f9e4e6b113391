#include "core/io/volumes/file_in_folder.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/imports/import_scan.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/volumes/volume_formats.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace gantry {

namespace fs = std::filesystem;

namespace {

constexpr auto listing = fs::directory_options::skip_permission_denied;

bool is_visible_file(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_regular_file(error) && !entry.path().filename().string().starts_with('.');
}

/// Whether a format takes the folder as a whole, not only as any folder.
bool is_series(const std::string& folder) {
  return import_formats().recognise(folder).certainty > Certainty::possible ||
         projection_formats().recognise(folder).certainty > Certainty::possible ||
         volume_formats().recognise(folder).certainty > Certainty::possible;
}

/// Whether a file is a header that says how the images beside it were taken.
bool is_header(const std::string& file) {
  const auto& entries = import_formats().entries();
  const bool may_be = std::ranges::any_of(entries, [&](const ImportFormat& format) {
    return format.is_header && has_extension_of(format, file);
  });
  if (!may_be) return false;  // a series may have thousands of files
  const auto found = import_formats().recognise(file);
  return found.certainty == Certainty::certain && found.format->is_header;
}

/// Whether a file is a slice of a series: its format is that of folders.
bool is_slice(const std::string& file) {
  const auto found = volume_formats().recognise(file);
  return found.certainty == Certainty::certain && found.format->is_folder;
}

/// Whether a folder, or one below it, holds a slice of a series.
bool holds_slices(const std::string& folder) {
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, listing, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (is_visible_file(*at) && is_slice(at->path().string())) return true;
  return false;
}

/// Whether a file is certainly a volume: its header states the grid, and lies in the file or beside
/// the files of the values.
bool is_volume(const std::string& file) {
  const auto found = volume_formats().recognise(file);
  return found.certainty == Certainty::certain && found.format->states_place;
}

bool is_certain(const std::string& file, FileKind kind) {
  return (kind == FileKind::volume && is_volume(file)) ||
         kind == FileKind::experiment ||  // which only its first bytes tell
         (kind == FileKind::scan &&
          projection_formats().recognise(file).certainty == Certainty::certain) ||
         (kind == FileKind::projections &&
          import_formats().recognise(file).certainty == Certainty::certain);
}

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

/// Returns the format of a header of projections; null for other files.
const ImportFormat* header_format(const std::string& file) {
  const ImportFormat* format = import_formats().recognise(file).format;
  return format != nullptr && format->is_header ? format : nullptr;
}

/// Whether a file has the first extension of a format, which is that of originals.
bool has_first_extension(const ImportFormat& format, const fs::path& file) {
  return lower_case(file.extension().string()) == format.extensions.front();
}

/// Whether a header is a copy of another one of the files, with the same extension or without the
/// first one of its format, as programs write them beside it: a.oog beside a.log, a_rec.log.
bool is_copy(const std::string& file, const std::vector<std::string>& files) {
  const ImportFormat* format = header_format(file);
  if (format == nullptr) return false;
  const fs::path path(file);
  std::string stem = path.stem().string();
  if (!has_first_extension(*format, path))
    return std::ranges::any_of(files, [&](const std::string& other) {
      return fs::path(other).stem() == stem && header_format(other) == format &&
             has_first_extension(*format, other);
    });
  if (format->end_of_copies.empty() || !stem.ends_with(format->end_of_copies)) return false;
  stem.resize(stem.size() - format->end_of_copies.size());
  while (stem.ends_with('_')) stem.pop_back();
  return std::ranges::count(files,
                            (path.parent_path() / (stem + path.extension().string())).string()) > 0;
}

/// Whether a header can be read, with the images that it names; true of other files.
bool can_be_read(const std::string& file) {
  const ImportFormat* format = header_format(file);
  if (format == nullptr) return true;
  ImportRequest request;
  request.path = file;
  try {
    format->read(request);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Leaves out, of several files, copies of headers and those that cannot be read, unless that is
/// all of them.
void leave_out_unreadable(std::vector<std::string>& files) {
  if (files.size() < 2) return;
  const std::vector<std::string> all = files;
  std::erase_if(files, [&](const std::string& file) { return is_copy(file, all); });
  if (files.size() < 2) return;
  const std::vector<std::string> originals = files;
  std::erase_if(files, [](const std::string& file) { return !can_be_read(file); });
  if (files.empty()) files = originals;
}

}  // namespace

std::string file_in_folder(const std::string& path, std::initializer_list<FileKind> kinds) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {};
  const bool holds_series = is_series(path);
  std::vector<std::string> files, volumes;
  for (auto at = fs::directory_iterator(path, listing, error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    if (!is_visible_file(*at)) continue;
    const std::string file = at->path().string();
    if (holds_series && !is_header(file)) continue;
    if (is_slice(file)) return {};
    const FileKind kind = identify_file(file);
    if (std::ranges::count(kinds, kind) > 0 && is_certain(file, kind))
      (kind == FileKind::volume ? volumes : files).push_back(file);
  }
  // A scan or an experiment is opened, whatever results lie beside it.
  const bool are_volumes = files.empty();
  if (are_volumes) files.swap(volumes);
  if (files.empty() || (!holds_series && holds_slices(path))) return {};
  leave_out_unreadable(files);
  if (files.size() == 1) return files.front();
  std::ranges::sort(files);
  constexpr std::size_t most_named = 8;
  const std::size_t others = files.size() - std::min(files.size(), most_named);
  files.resize(files.size() - others);
  throw InputError(are_volumes ? "holds several volumes" : "holds several scans or experiments",
                   path,
                   "open one of " + joined(files, name_of) +
                       (others > 0 ? " and " + std::to_string(others) + " others" : ""));
}

std::string opened_in_folder(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::vector<std::string> copies;
  std::error_code error;
  for (auto at = fs::directory_iterator(folder, listing, error);
       !error && at != fs::directory_iterator(); at.increment(error))
    if (is_visible_file(*at) && is_header(at->path().string()) &&
        is_copy(at->path().string(), {file}))
      copies.push_back(at->path().string());
  std::ranges::sort(copies);
  return "of the folder " + folder.filename().string() + ", " + name_of(file) +
         " is opened, the only " +
         (identify_file(file) == FileKind::volume ? "volume" : "scan or experiment") + " in it" +
         (copies.empty() ? ""
                         : " but for " + joined(copies, name_of) +
                               ", by the name of the same scan: give that file to read it instead");
}

}  // namespace gantry
