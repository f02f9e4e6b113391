// Reading of volumes from TIFF.
#include "core/base/error.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/files/tiff_pages.hpp"
#include "core/io/volumes/tiff_format.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>

namespace gantry {

namespace {

/// Returns the length of a unit of resolution in mm; 0 where the file states none.
double unit_mm(TiffPages& tiff, const Description& description) {
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

std::optional<Vec3> three_numbers(const Description& description, const std::string& key) {
  const auto found = description.find(key);
  if (found == description.end()) return std::nullopt;
  std::string_view text = found->second;
  const auto x = take_number(text), y = take_number(text), z = take_number(text);
  return x && y && z ? std::optional(Vec3{*x, *y, *z}) : std::nullopt;
}

VolumeGrid grid_of(TiffPages& tiff, const Description& description, const TiffPage& page, int pages,
                   LoadedVolume& volume) {
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
    const auto distance = number_in(description, "spacing");
    if (unit > 0 && distance)
      spacing.z = unit * std::abs(*distance);
    else if (pages > 1)
      volume.notes.push_back("the file states no distance of slices: it was taken as " +
                             format_param(spacing.z) + " mm");
  }
  VolumeGrid grid = VolumeGrid::centered(page.columns, page.rows, pages, spacing);
  if (const auto origin = three_numbers(description, "gantry_origin_mm")) grid.origin_mm = *origin;
  return grid;
}

}  // namespace

LoadedVolume read_tiff(const std::string& path, const VolumeReadOptions& options) {
  TiffPages tiff(path);
  const TiffPage first = tiff.page(0);
  const int pages = tiff.count();
  const Description description = tiff.description();
  if (const auto images = number_in(description, "images"); images && *images > pages)
    tiff.fail("ends after " + std::to_string(pages) + " of " + format_param(*images) + " pages");
  const std::size_t slice = static_cast<std::size_t>(first.columns) *
                            static_cast<std::size_t>(first.rows),
                    voxels = slice * static_cast<std::size_t>(pages);
  require_allowed_memory("claims " + std::to_string(voxels) + " voxels", voxels * sizeof(float),
                         std::filesystem::file_size(path), path);
  LoadedVolume volume;
  volume.source = path;
  volume.grid = grid_of(tiff, description, first, pages, volume);
  volume.mu.resize(voxels);
  for (int page = 0; page < pages; ++page) {
    if (options.interrupt != nullptr) options.interrupt->check();
    if (tiff.page(page) != first)
      tiff.fail("has pages of different sizes or types: page " + std::to_string(page + 1));
    tiff.read(page, std::span(volume.mu).subspan(static_cast<std::size_t>(page) * slice, slice));
  }
  // ImageJ's straight line (cf=0) from the numbers of the file to values.
  const auto low = number_in(description, "c0"), step = number_in(description, "c1");
  if (number_in(description, "cf") == 0.0 && low && step && *step != 0)
    for (float& value : volume.mu) value = static_cast<float>(*low + *step * value);
  to_attenuation(volume, description, options);
  return volume;
}

}  // namespace gantry
