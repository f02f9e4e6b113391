#include "core/io/imports/names/other_scans.hpp"

#include "core/base/joined.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <set>

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

/// Removes the paths that lie directly in a folder and returns their count with what they are
/// called; "" without any.
std::string take_away(std::vector<std::string>& paths, const fs::path& folder,
                      const std::string& called) {
  const std::size_t count = std::erase_if(
      paths, [&](const std::string& path) { return fs::path(path).parent_path() == folder; });
  return count == 0 ? std::string()
                    : std::to_string(count) + " " + called + (count == 1 ? "" : "s");
}

}  // namespace

void leave_out_other_scans(const std::string& folder, const std::vector<std::string>& images,
                           FrameFiles& files) {
  for (const fs::path& other : folders_of_other_scans(images, files.projections)) {
    const std::string name = other.lexically_relative(folder).string();
    std::vector<std::string> left;
    for (const std::string& text :
         {take_away(files.flats, other, "flat"), take_away(files.darks, other, "dark"),
          take_away(files.texts, other, "text")})
      if (!text.empty()) left.push_back(text);
    take_away(files.others, other, "file");
    if (left.empty()) continue;
    const std::string what = joined(left) + " in " + name;
    files.notes.push_back(what + " were left out: they lie beside images of another scan");
    files.left_out.push_back(what);
  }
}

}  // namespace gantry
