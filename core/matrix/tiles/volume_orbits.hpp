#pragma once

#include "core/matrix/tiles/tile_symmetry.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// The orbits of the patches of a volume under the symmetry group. Slot k of an orbit is the image
/// of its first patch under element k: several slots hold the same patch if a patch is its own
/// mirror image, and slots past the last element are -1.
struct VolumeOrbits {
  int slot_count = 0;               ///< of an orbit: 8, or 16 if there are more elements
  std::vector<std::int32_t> patch;  ///< [orbit][slot]
  // The sum of a voxel gathers from each element e the value at the voxel's image under e^-1. For
  // voxel `pixel` of the patch in slot k the image lies in slot slot[e][k], at pixel[e][pixel].
  std::vector<std::uint8_t> slot;   ///< [e][k]: slot in the orbit
  std::vector<std::uint8_t> pixel;  ///< [e][pixel]: offset in the patch, the same for all patches
};

/// Returns the orbits; empty if an element takes the voxels of a patch to different patches, or if
/// a patch has gaps.
VolumeOrbits volume_orbits(const TileSymmetry& symmetry);
/// Returns whether volume_orbits() is not empty, from the sizes alone: patches must be squares of 4
/// x 4 pixels that divide the slices.
bool have_orbits(const VolumeGrid& grid, BlockOrderKind kind);

}  // namespace gantry
