// Reading of volumes from TIFF.
#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/raw_numbers.hpp"
#include "core/io/files/tiff_pages.hpp"
#include "core/io/volumes/tiff_format.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>

namespace gantry {

namespace {

/// Returns the length of a unit of resolution in mm; 0 where the file states none.
double unit_mm(TiffPages& tiff, const std::map<std::string, std::string>& description) {
  switch (tiff.resolution().unit) {
    case TiffUnit::centimetre:
      return 10;
    case TiffUnit::inch:
      // Programs write 72 or 96 dots an inch into pictures without a scale.
      return description.contains("ImageJ") ? 25.4 : 0;
    case TiffUnit::none:
      break;
  }
  const auto unit = description.find("unit");
  if (unit == description.end()) return 0;
  static const std::map<std::string, double> units = {
      {"mm", 1}, {"cm", 10}, {"m", 1000}, {"micron", 1e-3}, {"um", 1e-3}, {"\\u00B5m", 1e-3}};
  const auto known = units.find(unit->second);
  return known == units.end() ? 0 : known->second;
}

std::optional<Vec3> three_numbers(const std::map<std::string, std::string>& description,
                                  const std::string& key) {
  const auto found = description.find(key);
  if (found == description.end()) return std::nullopt;
  std::istringstream text(found->second);
  text.imbue(std::locale::classic());
  Vec3 v;
  if (!(text >> v.x >> v.y >> v.z)) return std::nullopt;
  return v;
}

VolumeGrid grid_of(TiffPages& tiff, const TiffPage& page, int pages, LoadedVolume& volume) {
  const auto description = tiff.description();
  Vec3 spacing{1, 1, 1};
  if (const auto exact = three_numbers(description, "gantry_spacing_mm")) {
    spacing = *exact;
  } else {
    const double unit = unit_mm(tiff, description), x = tiff.resolution().x,
                 y = tiff.resolution().y;
    if (unit > 0 && x > 0 && y > 0)
      spacing = {unit / x, unit / y, unit / x};
    else
      volume.notes.push_back("the file states no size of pixels: they were taken as 1 mm");
    const auto distance = description.find("spacing");
    if (unit > 0 && distance != description.end())
      spacing.z = unit * std::abs(std::atof(distance->second.c_str()));
    else if (pages > 1)
      volume.notes.push_back("the file states no distance of slices: it was taken as " +
                             format_param(spacing.z) + " mm");
  }
  VolumeGrid grid = VolumeGrid::centered(page.columns, page.rows, pages, spacing);
  if (const auto origin = three_numbers(description, "gantry_origin_mm")) grid.origin_mm = *origin;
  return grid;
}

void to_attenuation(LoadedVolume& volume, TiffPages& tiff, const VolumeReadOptions& options) {
  const auto description = tiff.description();
  const auto values = description.find("gantry_values");
  volume.mu_water = options.mu_water;
  volume.from_hu = values != description.end() ? values->second == "HU" : options.values_are_hu;
  if (const auto water = description.find("gantry_mu_water_per_mm"); water != description.end())
    if (const double mu = std::atof(water->second.c_str()); mu > 0) volume.mu_water = mu;
  if (volume.from_hu)
    for (float& value : volume.mu) value = static_cast<float>(mu_from_hu(value, volume.mu_water));
  const BadValues bad = find_bad_values(volume.mu);
  if (bad.count == 0) return;
  volume.notes.push_back(describe(bad) +
                         "; set to air, and excluded from comparisons with a reference");
  volume.unknown.resize(volume.mu.size());
  for (std::size_t i = 0; i < volume.mu.size(); ++i) {
    if (std::isfinite(volume.mu[i])) continue;
    volume.mu[i] = 0;
    volume.unknown[i] = 1;
  }
}

}  // namespace

LoadedVolume read_tiff(const std::string& path, const VolumeReadOptions& options) {
  TiffPages tiff(path);
  const TiffPage first = tiff.page(0);
  const int pages = tiff.count();
  if (const auto lines = tiff.description(); lines.contains("images"))
    if (const int all = std::atoi(lines.at("images").c_str()); all > pages)
      tiff.fail("ends after " + std::to_string(pages) + " of " + std::to_string(all) + " pages");
  const std::size_t slice = static_cast<std::size_t>(first.columns) *
                            static_cast<std::size_t>(first.rows),
                    voxels = slice * static_cast<std::size_t>(pages);
  require_allowed_memory("claims " + std::to_string(voxels) + " voxels", voxels * sizeof(float),
                         std::filesystem::file_size(path), path);
  LoadedVolume volume;
  volume.source = path;
  volume.grid = grid_of(tiff, first, pages, volume);
  volume.grid.validate(path);
  volume.mu.resize(voxels);
  for (int page = 0; page < pages; ++page) {
    if (tiff.page(page) != first)
      tiff.fail("has pages of different sizes or types: page " + std::to_string(page + 1));
    tiff.read(page, std::span(volume.mu).subspan(static_cast<std::size_t>(page) * slice, slice));
  }
  to_attenuation(volume, tiff, options);
  return volume;
}

}  // namespace gantry
