#include "core/io/volumes/metaimage_slices.hpp"

#include "core/base/error.hpp"
#include "core/io/volumes/metaimage_layout.hpp"

#include <cmath>
#include <fstream>
#include <utility>

namespace gantry {

namespace {

/// Returns plane k of the file, in the order of the file.
std::vector<float> read_plane(const MetaHeader& header, std::uintmax_t start, int k) {
  std::vector<float> plane(static_cast<std::size_t>(header.size[0]) *
                           static_cast<std::size_t>(header.size[1]));
  std::ifstream file(header.data_file, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(start + static_cast<std::uintmax_t>(k) * plane.size() *
                                                     bytes_of(header.numbers.type)));
  const ByteSource stored = [&](std::span<std::byte> bytes) {
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return static_cast<std::size_t>(file.gcount());
  };
  if (read_numbers(stored, header.numbers, plane) < plane.size())
    throw InputError("ends within slice " + std::to_string(k), header.data_file,
                     "the file is cut short; fetch it again");
  return plane;
}

}  // namespace

std::optional<VolumeSlices> open_metaimage_slices(const std::string& path,
                                                  const MetaImageOptions& options) {
  const MetaHeader header = read_meta_header(path);
  const MetaExtent extent = data_extent(header);
  const MetaArrangement whole = arrange(header.axes).value_or(MetaArrangement{});
  if (header.compressed || whole.world[2] != 2) return std::nullopt;
  VolumeSlices slices{arranged_grid(header, whole), {}};
  slices.grid.validate(path);
  MetaHeader of_plane = header;
  of_plane.size[2] = 1;
  MetaArrangement within = whole;
  within.backwards[2] = false;
  slices.read = [=, grid = slices.grid](int iz) {
    std::vector<float> plane =
        read_plane(header, extent.start, whole.backwards[2] ? grid.nz - 1 - iz : iz);
    if (!within.identity()) {
      VolumeGrid flat = grid;
      flat.nz = 1;
      plane = arranged_values(plane, of_plane, within, flat);
    }
    for (float& value : plane) {
      if (options.hu) value = static_cast<float>(mu_from_hu(value, options.mu_water));
      if (!std::isfinite(value)) value = 0;
    }
    return plane;
  };
  return slices;
}

}  // namespace gantry
