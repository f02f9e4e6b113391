#include "core/io/volumes/metaimage_layout.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

namespace gantry {

namespace fs = std::filesystem;

std::size_t voxels_of(const MetaHeader& header) {
  std::size_t voxels = 1;
  for (const int n : header.size) voxels *= static_cast<std::size_t>(n);
  return voxels;
}

void refuse_length(const MetaHeader& header, const std::string& holds, const std::string& remedy) {
  throw InputError(holds + " for " + std::to_string(voxels_of(header)) + " voxels of " +
                       std::to_string(bytes_of(header.numbers.type)) + " bytes",
                   header.data_file, remedy);
}

void require_no_surplus(const MetaHeader& header, std::uintmax_t bytes, std::uintmax_t used) {
  if (bytes != used)
    refuse_length(header, "holds " + std::to_string(bytes) + " bytes of data, too many",
                  "DimSize, ElementType or HeaderSize is wrong, or the file was changed");
}

MetaExtent data_extent(const MetaHeader& header) {
  std::error_code error;
  if (!fs::is_regular_file(header.data_file, error))
    throw InputError("there is no such data file", header.data_file,
                     "put it there or correct ElementDataFile");
  const std::uintmax_t length = fs::file_size(header.data_file, error);
  if (error) throw InputError("cannot be read", header.data_file, error.message());
  const std::uintmax_t unpacked = voxels_of(header) * bytes_of(header.numbers.type);
  const std::uintmax_t stored = header.compressed ? header.compressed_bytes.value_or(0) : unpacked;
  const std::uintmax_t first = header.data_at_end ? header.header_end : header.data_start;
  const std::uintmax_t bytes = length - std::min(length, first);
  constexpr std::uintmax_t most_per_byte = 1032;  // highest ratio of deflate
  const std::uintmax_t possible = header.compressed ? bytes * most_per_byte : bytes;
  if (possible < unpacked || bytes < stored)
    refuse_length(header, "holds " + std::to_string(bytes) + " bytes of data, too few",
                  "the file is cut short, or DimSize or ElementType is wrong");
  // A separate file whose data are its last bytes (HeaderSize = -1) begins with an unknown number
  // of bytes of another program, so a surplus cannot be detected.
  const bool all_known = !header.data_at_end || header.header_end > 0;
  if (stored > 0 && all_known) require_no_surplus(header, bytes, stored);
  return {header.data_at_end ? length - stored : first, stored > 0 ? stored : bytes, length};
}

std::optional<MetaArrangement> arrange(const std::array<Vec3, 3>& axes) {
  constexpr double tolerance = 1e-4;
  MetaArrangement arrangement;
  std::array<bool, 3> taken{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::array<double, 3> along = {axes[i].x, axes[i].y, axes[i].z};
    const auto largest = std::ranges::max_element(along, {}, [](double c) { return std::abs(c); });
    const auto w = static_cast<std::size_t>(largest - along.begin());
    if (std::abs(std::abs(along[w]) - 1) > tolerance || taken[w] || norm(axes[i]) > 1 + tolerance)
      return std::nullopt;
    taken[w] = true;
    arrangement.world[i] = w;
    arrangement.backwards[i] = along[w] < 0;
  }
  return arrangement;
}

VolumeGrid arranged_grid(const MetaHeader& header, const MetaArrangement& arrangement) {
  std::array<int, 3> size{};
  std::array<double, 3> spacing{}, origin{};
  const Vec3 offset = header.offset_mm.value_or(Vec3{});
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t w = arrangement.world[i];
    size[w] = header.size[i];
    spacing[w] = header.spacing_mm[i];
    origin[w] = std::array{offset.x, offset.y, offset.z}[w];
    if (arrangement.backwards[i]) origin[w] -= (header.size[i] - 1) * header.spacing_mm[i];
  }
  VolumeGrid grid =
      VolumeGrid::centered(size[0], size[1], size[2], {spacing[0], spacing[1], spacing[2]});
  if (header.offset_mm) grid.origin_mm = {origin[0], origin[1], origin[2]};
  return grid;
}

std::vector<float> arranged_values(const std::vector<float>& values, const MetaHeader& header,
                                   const MetaArrangement& arrangement, const VolumeGrid& grid) {
  const std::array<std::ptrdiff_t, 3> world_step = {1, grid.nx,
                                                    static_cast<std::ptrdiff_t>(grid.nx) * grid.ny};
  std::array<std::ptrdiff_t, 3> step{};
  std::ptrdiff_t first = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    step[i] = world_step[arrangement.world[i]];
    if (arrangement.backwards[i]) {
      first += step[i] * (header.size[i] - 1);
      step[i] = -step[i];
    }
  }
  std::vector<float> arranged(values.size());
  std::size_t at = 0;
  for (int k = 0; k < header.size[2]; ++k)
    for (int j = 0; j < header.size[1]; ++j)
      for (int i = 0; i < header.size[0]; ++i)
        arranged[static_cast<std::size_t>(first + i * step[0] + j * step[1] + k * step[2])] =
            values[at++];
  return arranged;
}

}  // namespace gantry
