#include "core/mapping/mapping_cache.hpp"

#include "core/base/error.hpp"
#include "core/io/files/disk.hpp"
#include "core/mapping/mapping_file.hpp"
#include "core/mapping/mapping_key.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace gantry {

namespace fs = std::filesystem;

namespace {

const std::string extension = ".gmap";
constexpr std::size_t digits = 16;

bool is_kept_name(const std::string& name) {
  return name.size() == digits + extension.size() && name.ends_with(extension) &&
         name.find_first_not_of("0123456789abcdef") == digits;
}

/// Removes the files that were used longest ago, so that at most most_kept_mappings are left.
void remove_oldest(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  for (const std::string& name : names_in(folder)) {
    std::error_code error;
    const fs::path path = folder / name;
    const fs::file_time_type time = fs::last_write_time(path, error);
    if (!error && is_kept_name(name)) kept.emplace_back(time, path);
  }
  std::ranges::sort(kept);
  for (std::size_t n = 0; n + most_kept_mappings < kept.size(); ++n) {
    std::error_code ignored;
    fs::remove(kept[n].second, ignored);
  }
}

/// Returns why the mapping could not be kept; empty if it was.
std::string keep(const fs::path& path, const ThreadMapping& mapping, const Projector& projector,
                 const MappingOptions& options) {
  try {
    fs::create_directories(path.parent_path());
    save_mapping(path, mapping, projector, options);
    remove_oldest(path.parent_path());
  } catch (const Error& error) {
    return error.what();
  } catch (const fs::filesystem_error& error) {
    return path.parent_path().string() + ": " + error.code().message();
  }
  return {};
}

}  // namespace

fs::path mapping_cache_folder() {
  if (const char* given = std::getenv("GANTRY_CACHE"); given != nullptr)
    return *given == '\0' ? fs::path() : fs::path(given) / "mappings";
  // The XDG Base Directory Specification has programs ignore paths that are not absolute.
  if (const char* caches = std::getenv("XDG_CACHE_HOME");
      caches != nullptr && fs::path(caches).is_absolute())
    return fs::path(caches) / "gantry" / "mappings";
  const char* home = std::getenv("HOME");
  if (home == nullptr || !fs::path(home).is_absolute()) return {};
  return fs::path(home) / ".cache" / "gantry" / "mappings";
}

fs::path kept_mapping_path(const fs::path& folder, const Projector& projector,
                           const MappingOptions& options) {
  std::array<char, digits + 1> name = {};
  std::snprintf(name.data(), name.size(), "%016llx",
                static_cast<unsigned long long>(mapping_key(projector, options).all()));
  return folder / (name.data() + extension);
}

KeptMapping kept_or_mapped(const Projector& projector, const MappingOptions& options,
                           const fs::path& folder, const std::function<void(double)>& progress) {
  KeptMapping result;
  if (folder.empty() || !has_mapping_key(projector)) {
    result.mapping = map_threads(projector, options, progress);
    result.note = "the thread mapping was computed";
    return result;
  }
  const fs::path path = kept_mapping_path(folder, projector, options);
  std::error_code ignored;
  if (fs::exists(path, ignored)) try {
      result.mapping = load_mapping(path, projector, options);
      result.was_read = true;
      result.note = "the thread mapping was read from " + path.string();
      fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);  // it is in use
      return result;
    } catch (const InputError& error) {
      result.note =
          ", since the one kept before cannot be used (" + std::string(error.what()) + ")";
    }
  result.mapping = map_threads(projector, options, progress);
  const std::string failure = keep(path, result.mapping, projector, options);
  result.note =
      "the thread mapping was computed" + result.note +
      (failure.empty() ? " and kept as " + path.string() : "; it could not be kept: " + failure);
  return result;
}

}  // namespace gantry
