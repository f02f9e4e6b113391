#include "core/io/imports/names/other_scans.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;

/// Whether a folder is another one or lies in it.
bool lies_in(const fs::path& folder, const fs::path& other) {
  return std::ranges::mismatch(other, folder).in1 == other.end();
}

/// Returns the folders of scans of which no projection was taken.
std::set<fs::path> folders_of_other_scans(const std::vector<std::string>& images,
                                          const std::vector<std::string>& projections) {
  std::set<fs::path> own;
  for (const std::string& path : projections) own.insert(fs::path(path).parent_path());
  std::map<fs::path, std::size_t> counts;
  for (const std::string& path : images) ++counts[fs::path(path).parent_path()];
  // One or two images beside flats may be of the beam too, as of a pinhole.
  constexpr std::size_t several = 3;
  std::set<fs::path> others;
  for (const auto& entry : counts) {
    const fs::path& folder = entry.first;
    const auto holds = [&](const fs::path& one) { return lies_in(one, folder); };
    if (entry.second >= several && std::ranges::none_of(own, holds)) others.insert(folder);
  }
  return others;
}

}  // namespace

std::vector<FilesTakenOut> take_out_other_scans(const std::string& folder,
                                                const std::vector<std::string>& images,
                                                const std::vector<std::string>& projections,
                                                std::span<const FilesOfKind> kinds) {
  std::vector<FilesTakenOut> all;
  for (const fs::path& other : folders_of_other_scans(images, projections)) {
    FilesTakenOut taken;
    const auto lies_there = [&](const std::string& path) {
      return fs::path(path).parent_path() == other;
    };
    for (const FilesOfKind& kind : kinds) {
      const std::size_t count = std::erase_if(*kind.paths, lies_there);
      if (count == 0) continue;
      taken.what += (taken.count > 0 ? ", " : "") + std::to_string(count) + " " + kind.called +
                    (count == 1 ? "" : "s");
      taken.count += count;
    }
    if (taken.count == 0) continue;
    taken.what += " in " + other.lexically_relative(folder).string();
    all.push_back(std::move(taken));
  }
  return all;
}

}  // namespace gantry
