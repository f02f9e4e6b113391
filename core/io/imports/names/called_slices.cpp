#include "core/io/imports/names/called_slices.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/frame_roles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Words = std::span<const char* const>;

enum class Called : char { neither, projection, slice };

constexpr std::array<const char*, 8> reconstructed = {
    "rec",           "recon",  "reco",           "reconstruction",
    "reconstructed", "nrecon", "rekonstruktion", "rekonstruktionen"};
constexpr std::array<const char*, 8> projected = {"proj",       "projection",  "raw",
                                                  "radiograph", "radiography", "radiogram",
                                                  "projektion", "projektionen"};
constexpr std::array<const char*, 3> sliced = {"slice", "schicht", "schichten"};

bool has_any(const std::string& name, Words words) {
  return std::ranges::any_of(words, [&](const char* word) { return has_word(name, word); });
}

/// What the names of a path say, the name of the file before those of its folders.
Called called(const fs::path& within) {
  std::vector<std::string> names;
  for (const fs::path& part : within) names.insert(names.begin(), lower_case(part.string()));
  for (const std::string& name : names) {
    if (has_any(name, reconstructed)) return Called::slice;
    if (has_any(name, projected)) return Called::projection;
  }
  const bool is_slice =
      std::ranges::any_of(names, [](const std::string& name) { return has_any(name, sliced); });
  return is_slice ? Called::slice : Called::neither;
}

}  // namespace

std::vector<fs::path> take_slices(std::vector<fs::path>& images, const std::string& folder) {
  std::vector<fs::path> slices, others;
  bool is_any_projection = false;
  for (const fs::path& path : images) {
    const Called what = called(path.lexically_relative(folder).replace_extension());
    (what == Called::slice ? slices : others).push_back(path);
    is_any_projection = is_any_projection || what == Called::projection;
  }
  if (slices.empty() || others.empty()) return {};
  constexpr std::size_t least = 4, most_times = 50;
  const std::size_t series = largest_of(grouped(others, std::nullopt))->second.size();
  if (!is_any_projection && (series < least || most_times * series < slices.size())) return {};
  images = std::move(others);
  return slices;
}

}  // namespace gantry
