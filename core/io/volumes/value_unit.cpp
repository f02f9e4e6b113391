#include "core/io/volumes/value_unit.hpp"

#include "core/io/files/raw_numbers.hpp"
#include "core/io/files/text_numbers.hpp"
#include "core/io/volumes/bad_voxels.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace gantry {

void note_cells(LoadedVolume& volume) {
  volume.lengths_are_known = false;
  volume.notes.emplace_back(
      "the file was made of a scan whose cells are of unknown size: its mm are cells, and its 1/mm "
      "and HU are of attenuation per cell");
}

std::optional<double> number_in(const Description& description, const std::string& key) {
  const auto found = description.find(key);
  if (found == description.end()) return std::nullopt;
  std::string_view text = found->second;
  return take_number(text);
}

std::string unit_of(const VolumeToWrite& volume) {
  return volume.as_hu ? "HU" : volume.has_unit ? "1/mm" : "none";
}

Description description_of_values(const VolumeToWrite& volume) {
  Description description{{values_key, unit_of(volume)}};
  if (volume.as_hu) description[mu_water_key] = format_param(volume.mu_water);
  if (!volume.lengths_are_known) description[lengths_key] = lengths_in_cells;
  return description;
}

void to_attenuation(LoadedVolume& volume) {
  if (volume.from_hu)
    for (float& value : volume.mu) value = static_cast<float>(mu_from_hu(value, volume.mu_water));
  set_bad_voxels_to_air(volume);
}

void to_attenuation(LoadedVolume& volume, const Description& description,
                    const VolumeReadOptions& options) {
  const auto values = description.find(values_key);
  volume.mu_water = options.mu_water;
  volume.from_hu = values != description.end() ? values->second == "HU" : options.values_are_hu;
  if (const auto water = number_in(description, mu_water_key); water && *water > 0)
    volume.mu_water = *water;
  if (const auto lengths = description.find(lengths_key);
      lengths != description.end() && lengths->second == lengths_in_cells)
    note_cells(volume);
  to_attenuation(volume);
}

void write_values(const VolumeToWrite& volume,
                  const std::function<void(std::span<const std::byte>)>& sink) {
  const std::size_t slice =
      static_cast<std::size_t>(volume.grid.nx) * static_cast<std::size_t>(volume.grid.ny);
  std::vector<float> hu(volume.as_hu ? slice : 0);
  for (std::size_t first = 0; first < volume.mu.size(); first += slice) {
    std::span<const float> values = volume.mu.subspan(first, slice);
    if (volume.as_hu) {
      std::ranges::transform(values, hu.begin(), [&](float mu) {
        return static_cast<float>(hu_from_mu(mu, volume.mu_water));
      });
      values = hu;
    }
    write_numbers(values, sink);
  }
}

}  // namespace gantry
