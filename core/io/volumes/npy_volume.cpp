#include "core/io/volumes/npy_volume.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/files/arrays/npy_header.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/volumes/axis_arrangement.hpp"
#include "core/io/volumes/value_unit.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry {

namespace {

constexpr const char* what_is_missing =
    "an array of NumPy states neither the size of voxels nor their place: they were taken as 1 mm, "
    "centred on the axis";

/// Returns the array that may be a volume. Throws InputError unless there is a single one.
StoredArray only_volume(const std::string& path, std::vector<std::string>& notes) {
  ArrayFile file = open_numpy(path);
  notes = file.left_out;
  const auto others = std::partition(
      file.arrays.begin(), file.arrays.end(),
      [](const StoredArray& one) { return one.size.size() == 2 || one.size.size() == 3; });
  const auto count = others - file.arrays.begin();
  if (count != 1)
    throw InputError("holds " + std::to_string(count) + " arrays of two or three dimensions: " +
                         joined(file.arrays,
                                [](const StoredArray& one) {
                                  return (one.name.empty() ? "" : one.name + " of ") +
                                         one.size_text();
                                }),
                     path, "save the volume alone, as [z][y][x]");
  return std::move(file.arrays.front());
}

/// Returns the axes of an array in the order in which they are stored.
VolumeAxes axes_of(const StoredArray& array) {
  const std::size_t n = array.size.size();
  VolumeAxes stored;
  stored.offset_field = {};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t size = array.size[array.first_axis_is_fastest ? i : n - 1 - i];
    if (size < 1 || size > 65536)
      throw InputError("is of " + array.size_text() + " numbers", array.where,
                       "volumes have 1 to 65536 voxels along each axis");
    stored.size[i] = static_cast<int>(size);
  }
  if (!array.first_axis_is_fastest) return stored;
  const std::array<Vec3, 3> world{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t i = 0; i < n; ++i) stored.axes[i] = world[n - 1 - i];
  return stored;
}

/// Reads the values in the order of the file. The array, which may hold some of its own, is gone
/// when they are put in order.
VolumeAxes read_values(const std::string& path, LoadedVolume& volume, const Interrupt* interrupt) {
  const StoredArray array = only_volume(path, volume.notes);
  VolumeAxes stored = axes_of(array);
  require_memory_for(array, copies_to_place(stored));
  volume.mu.resize(voxels_of(stored));
  // Packed numbers are unpacked from the first one on, so that their parts would be read anew.
  if (interrupt != nullptr) interrupt->check();
  array.read(0, volume.mu);
  return stored;
}

LoadedVolume read_npy(const std::string& path, const VolumeReadOptions& options) {
  LoadedVolume volume;
  volume.source = path;
  VolumeAxes stored = read_values(path, volume, options.interrupt);
  stored.note_of_size = what_is_missing;
  volume.notes.push_back(stored.note_of_size);
  place(volume, stored);
  to_attenuation(volume, {}, options);
  return volume;
}

void write_npy(const std::string& path, const VolumeToWrite& volume) {
  const auto size = [](int n) { return static_cast<std::uint64_t>(n); };
  AtomicFile file(path, volume.access);
  file.write(npy_header_text({size(volume.grid.nz), size(volume.grid.ny), size(volume.grid.nx)}));
  write_values(volume, [&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace

VolumeFormat npy_volume_format() {
  VolumeFormat format;
  format.key = "npy";
  format.label = "NumPy array";
  format.extensions = {".npy"};
  format.magic = [](std::string_view start) {
    return std::max(npy_certainty(start), npz_certainty(start));
  };
  format.states_place = false;
  format.read = read_npy;
  format.write = write_npy;
  return format;
}

}  // namespace gantry
