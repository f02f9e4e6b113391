#pragma once

#include "core/io/files/arrays/stored_array.hpp"
#include "core/io/files/file_parts.hpp"
#include "core/io/volumes/axis_arrangement.hpp"
#include "core/io/volumes/value_unit.hpp"
#include "core/io/volumes/volume_format.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

/// How the values of a volume are stored.
enum class ValueEncoding { raw, deflated, text };

/// What the header of a volume says: where the values lie, and how they are read.
struct StoredVolume : VolumeAxes {
  NumberFormat numbers;
  ValueEncoding encoding = ValueEncoding::raw;
  std::vector<FilePart> parts;       ///< in the order of the slices; may be longer than the values
  std::uintmax_t skipped_bytes = 0;  ///< before the values, after unpacking
  double slope = 1, intercept = 0;   ///< value = slope * stored + intercept
  Description description;
  std::vector<std::string> notes;
};

/// Reads the values. Throws InputError: fewer values than the header says, or damaged ones. More
/// bytes than values are left out with a note.
LoadedVolume read_stored_volume(const StoredVolume& stored, const std::string& path,
                                const VolumeReadOptions& options);

/// Returns the values as the file holds them, without a unit, in the order of its axes, the slowest
/// first. Throws InputError: fewer bytes than the header says, and numbers that are text.
StoredArray array_of(const StoredVolume& stored, const std::string& path);

/// Opens a volume for reading single slices, 1/mm, of values in HU if `are_hu`; nothing if its
/// values are packed or text, or its slowest axis is not z. Throws InputError for values that are
/// cut short.
std::optional<VolumeSlices> stored_slices_of(const StoredVolume& stored, const std::string& path,
                                             bool are_hu, double mu_water);

/// Does the same with the unit that the file states, else that of the options.
std::optional<VolumeSlices> stored_slices_of(const StoredVolume& stored, const std::string& path,
                                             const VolumeReadOptions& options);

}  // namespace gantry
