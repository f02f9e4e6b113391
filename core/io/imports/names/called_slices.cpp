#include "core/io/imports/names/called_slices.hpp"

#include "core/io/files/file_names.hpp"
#include "core/io/imports/names/file_groups.hpp"
#include "core/io/imports/names/frame_roles.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace gantry {

namespace {

namespace fs = std::filesystem;
using Words = std::span<const char* const>;

constexpr std::array<const char*, 8> reconstructed = {
    "rec",           "recon",  "reco",           "reconstruction",
    "reconstructed", "nrecon", "rekonstruktion", "rekonstruktionen"};
constexpr std::array<const char*, 8> projected = {"proj",       "projection",  "raw",
                                                  "radiograph", "radiography", "radiogram",
                                                  "projektion", "projektionen"};
constexpr std::array<const char*, 3> sliced = {"slice", "schicht", "schichten"};
/// Of further results, beside which slices are not told.
constexpr std::array<const char*, 12> derived = {
    "volume",      "vol",  "volumen", "segmented", "segmentation", "seg",
    "segmentiert", "mask", "maske",   "label",     "phantom",      "corrected"};
constexpr std::array<const char*, 5> scanned = {"scan", "tomo", "tomography", "acquisition",
                                                "data"};

bool has_any(const std::string& name, Words words) {
  return std::ranges::any_of(words, [&](const char* word) { return has_word(name, word); });
}

/// The names of a path in lower case, that of the file before those of its folders.
std::vector<std::string> names_in(const fs::path& within) {
  std::vector<std::string> names;
  for (const fs::path& part : within) names.insert(names.begin(), lower_case(part.string()));
  return names;
}

/// What names say of slices and projections; `results`: further words of what is no projection.
CalledImage called(const std::vector<std::string>& names, Words results) {
  for (const std::string& name : names) {
    if (has_any(name, reconstructed) || has_any(name, results)) return CalledImage::result;
    if (has_any(name, projected)) return CalledImage::projection;
  }
  const bool is_slice =
      std::ranges::any_of(names, [](const std::string& name) { return has_any(name, sliced); });
  return is_slice ? CalledImage::result : CalledImage::neither;
}

}  // namespace

CalledImage called_image(const fs::path& within) {
  const std::vector<std::string> names = names_in(within);
  const CalledImage found = called(names, derived);
  const bool is_scan =
      std::ranges::any_of(names, [](const std::string& name) { return has_any(name, scanned); });
  return found == CalledImage::neither && is_scan ? CalledImage::scan : found;
}

bool may_be_projections_beside(std::size_t results, std::size_t images) {
  constexpr std::size_t most_times = 50;
  return images >= least_of_series && most_times * images >= results;
}

std::vector<fs::path> take_slices(std::vector<fs::path>& images, const std::string& folder) {
  std::vector<fs::path> slices, others;
  bool is_any_projection = false;
  for (const fs::path& path : images) {
    const fs::path within = path.lexically_relative(folder).replace_extension();
    const CalledImage what = called(names_in(within), {});
    (what == CalledImage::result ? slices : others).push_back(path);
    is_any_projection = is_any_projection || what == CalledImage::projection;
  }
  if (slices.empty() || others.empty()) return {};
  const std::size_t series = largest_of(grouped(others, std::nullopt))->second.size();
  if (!is_any_projection && !may_be_projections_beside(slices.size(), series)) return {};
  images = std::move(others);
  return slices;
}

}  // namespace gantry
