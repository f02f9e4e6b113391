#include "core/io/volumes/stored_volume.hpp"

#include "core/base/error.hpp"
#include "core/io/files/inflated_bytes.hpp"
#include "core/io/files/memory_allowance.hpp"
#include "core/io/files/text_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace gantry {

namespace {

[[noreturn]] void fail_short(const std::string& path, std::size_t got, std::size_t voxels) {
  throw InputError(
      "ends after " + std::to_string(got) + " of " + std::to_string(voxels) + " voxels", path,
      "the file is cut short, or its header is wrong");
}

std::uintmax_t bytes_of_parts(const StoredVolume& stored) {
  std::uintmax_t bytes = 0;
  for (const FilePart& part : stored.parts) bytes += part.bytes;
  return bytes;
}

/// Compares the claims of a header, which may be damaged, with the bytes that there are.
void require_room(const StoredVolume& stored, const std::string& path) {
  const std::size_t voxels = voxels_of(stored);
  const std::uintmax_t bytes = bytes_of_parts(stored);
  if (stored.encoding == ValueEncoding::raw &&
      bytes < stored.skipped_bytes + voxels * bytes_of(stored.numbers.type))
    fail_short(stored.parts.back().path,
               static_cast<std::size_t>((bytes - std::min(bytes, stored.skipped_bytes)) /
                                        bytes_of(stored.numbers.type)),
               voxels);
  require_allowed_memory("claims " + std::to_string(voxels) + " voxels in " + format_bytes(bytes),
                         copies_to_place(stored) * voxels * sizeof(float), bytes, path);
}

/// Reads packed values and makes sure that their checksum was met.
std::size_t read_packed(const ByteSource& bytes, const StoredVolume& stored,
                        std::span<float> values, std::vector<std::string>& notes) {
  const std::string& path = stored.parts.front().path;
  Inflater inflater(bytes, path);
  const ByteSource unpacked = [&](std::span<std::byte> out) { return inflater.read(out); };
  if (!skip_bytes(unpacked, stored.skipped_bytes)) return 0;
  const std::size_t got = read_numbers(unpacked, stored.numbers, values);
  if (got < values.size()) return got;
  std::vector<std::byte> passed(1 << 16);
  std::size_t surplus = 0;
  while (const std::size_t more = inflater.read(passed)) surplus += more;
  if (!inflater.ended())
    throw InputError("the compressed data end before their checksum", path,
                     "the file is cut short; fetch it again");
  if (surplus > 0)
    notes.push_back(std::to_string(surplus) + " bytes behind the voxels were left out");
  return got;
}

std::size_t read_values_of(const StoredVolume& stored, std::span<float> values,
                           std::vector<std::string>& notes, const Interrupt* interrupt) {
  switch (stored.encoding) {
    case ValueEncoding::deflated:
      return read_packed(interruptible(bytes_in(stored.parts), interrupt), stored, values, notes);
    case ValueEncoding::text:
      return read_text_numbers(
          interruptible(bytes_in(stored.parts, stored.skipped_bytes), interrupt), values,
          stored.parts.front().path);
    case ValueEncoding::raw:
      break;
  }
  const std::uintmax_t used = stored.skipped_bytes + values.size() * bytes_of(stored.numbers.type),
                       bytes = bytes_of_parts(stored);
  if (bytes > used)
    notes.push_back(std::to_string(bytes - used) + " bytes behind the voxels were left out");
  return read_numbers(interruptible(bytes_in(stored.parts, stored.skipped_bytes), interrupt),
                      stored.numbers, values);
}

void scale(std::span<float> values, const StoredVolume& stored) {
  if (stored.slope == 1 && stored.intercept == 0) return;
  for (float& value : values) value = static_cast<float>(stored.slope * value + stored.intercept);
}

}  // namespace

LoadedVolume read_stored_volume(const StoredVolume& stored, const std::string& path,
                                const VolumeReadOptions& options) {
  require_room(stored, path);
  LoadedVolume volume;
  volume.source = path;
  volume.notes = stored.notes;
  volume.mu.resize(voxels_of(stored));
  const std::size_t got = read_values_of(stored, volume.mu, volume.notes, options.interrupt);
  if (got < volume.mu.size()) fail_short(stored.parts.back().path, got, volume.mu.size());
  scale(volume.mu, stored);
  place(volume, stored);
  to_attenuation(volume, stored.description, options);
  return volume;
}

StoredArray array_of(const StoredVolume& stored, const std::string& path) {
  if (stored.encoding == ValueEncoding::text)
    throw InputError("holds its numbers as text", path, "write it with binary data");
  require_room(stored, path);
  StoredArray array;
  array.where = path;
  for (std::size_t axis = stored.size.size(); axis-- > 0;)
    array.size.push_back(static_cast<std::uint64_t>(stored.size[axis]));
  array.file_bytes = bytes_of_parts(stored);
  OpenBytes open = [parts = stored.parts](std::uint64_t first) { return bytes_in(parts, first); };
  if (stored.encoding == ValueEncoding::deflated)
    open = [bytes = InflatedBytes(stored.parts, stored.parts.front().path)](std::uint64_t first) {
      return bytes.from(first);
    };
  read_array_from(array, stored.numbers,
                  [open = std::move(open), skipped = stored.skipped_bytes,
                   width = bytes_of(stored.numbers.type)](std::uint64_t first) {
                    return open(skipped + first * width);
                  });
  return array;
}

std::optional<VolumeSlices> stored_slices_of(const StoredVolume& stored, const std::string& path,
                                             bool are_hu, double mu_water) {
  const AxisArrangement whole = arrange(stored.axes).value_or(AxisArrangement{});
  if (stored.encoding != ValueEncoding::raw || whole.world[2] != 2) return std::nullopt;
  require_room(stored, path);
  VolumeSlices slices{arranged_grid(stored, whole), {}};
  VolumeAxes of_plane = stored;
  of_plane.size[2] = 1;
  AxisArrangement within = whole;
  within.backwards[2] = false;
  slices.read = [=, grid = slices.grid](int iz) {
    const int k = whole.backwards[2] ? grid.nz - 1 - iz : iz;
    std::vector<float> plane(voxels_of(of_plane));
    // There may be as many parts as slices.
    const std::uintmax_t bytes = plane.size() * bytes_of(stored.numbers.type),
                         first = stored.skipped_bytes + static_cast<std::uintmax_t>(k) * bytes;
    if (read_numbers(bytes_in(parts_within(stored.parts, first, bytes)), stored.numbers, plane) <
        plane.size())
      throw InputError("ends within slice " + std::to_string(k), stored.parts.back().path,
                       "the file is cut short; fetch it again");
    scale(plane, stored);
    if (!within.identity()) {
      VolumeGrid flat = grid;
      flat.nz = 1;
      plane = arranged_values(plane, of_plane, within, flat);
    }
    for (float& value : plane) {
      if (are_hu) value = static_cast<float>(mu_from_hu(value, mu_water));
      if (!std::isfinite(value)) value = 0;
    }
    return plane;
  };
  return slices;
}

std::optional<VolumeSlices> stored_slices_of(const StoredVolume& stored, const std::string& path,
                                             const VolumeReadOptions& options) {
  LoadedVolume unit;  // without voxels
  to_attenuation(unit, stored.description, options);
  return stored_slices_of(stored, path, unit.from_hu, unit.mu_water);
}

}  // namespace gantry
