#pragma once

#include "core/geometry/volume_grid.hpp"
#include "core/io/volumes/metaimage_header.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gantry {

// Where the values of a MetaImage file lie, and how its axes lie in the world.

std::size_t voxels_of(const MetaHeader& header);

/// First byte and number of bytes of the data in their file, and size of that file.
struct MetaExtent {
  std::uintmax_t start, bytes, file_bytes;
};

/// Throws InputError for more or fewer data than the header says.
[[noreturn]] void refuse_length(const MetaHeader& header, const std::string& holds,
                                const std::string& remedy);

/// Throws InputError for bytes besides the voxels: DimSize, ElementType or HeaderSize is wrong.
/// Even a single such byte, as a line end that an editor added, may have shifted or changed the
/// voxels.
void require_no_surplus(const MetaHeader& header, std::uintmax_t bytes, std::uintmax_t used);

/// Returns where the data are. Compares the claims of the header, which may be damaged, with the
/// size of the file before memory is allocated. Throws InputError.
MetaExtent data_extent(const MetaHeader& header);

/// File axis i runs along world axis `world[i]`, in the opposite direction if `backwards[i]`.
struct MetaArrangement {
  std::array<std::size_t, 3> world{0, 1, 2};
  std::array<bool, 3> backwards{};

  bool identity() const {
    return world == std::array<std::size_t, 3>{0, 1, 2} && backwards == std::array<bool, 3>{};
  }
};

/// Returns the arrangement if every axis of the file is parallel to an axis of the world; else
/// nothing.
std::optional<MetaArrangement> arrange(const std::array<Vec3, 3>& axes);

VolumeGrid arranged_grid(const MetaHeader& header, const MetaArrangement& arrangement);

/// Returns the values in the order of the grid, [iz][iy][ix], instead of that of the file.
std::vector<float> arranged_values(const std::vector<float>& values, const MetaHeader& header,
                                   const MetaArrangement& arrangement, const VolumeGrid& grid);

}  // namespace gantry
