#pragma once

#include "core/io/files/stated_lengths.hpp"
#include "core/io/volumes/volume_format.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace gantry {

// The unit of stored values, 1/mm or HU, which most formats do not state.

/// Texts by which a file describes itself.
using Description = std::map<std::string, std::string>;

/// Keys under which Gantry states the unit in formats that take any text, and the attenuation of
/// water behind HU.
inline constexpr const char *values_key = "gantry_values", *mu_water_key = "gantry_mu_water_per_mm";

/// Notes of a volume that its file says so (LoadedVolume::lengths_are_known).
void note_cells(LoadedVolume& volume);

/// Returns the number with which the text of this key begins, after blanks; nothing without one.
std::optional<double> number_in(const Description& description, const std::string& key);

/// Returns what a file should state of the values of a volume.
Description description_of_values(const VolumeToWrite& volume);
/// Returns the unit of the values that are written: "HU", "1/mm" or "none".
std::string unit_of(const VolumeToWrite& volume);

/// Converts the values to 1/mm if they are HU (LoadedVolume::from_hu, mu_water). Values that are
/// not finite become air.
void to_attenuation(LoadedVolume& volume);

/// Does the same for values in the unit that the file states, else in that of the options; notes
/// lengths in cells.
void to_attenuation(LoadedVolume& volume, const Description& description,
                    const VolumeReadOptions& options);

/// Passes the values of a volume slice by slice to `sink`, as bytes of little-endian float32, in HU
/// if the volume is to be written so.
void write_values(const VolumeToWrite& volume,
                  const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace gantry
