#pragma once

#include "core/matrix/tiles/tile_symmetry.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// Patches of a volume that the elements of its symmetry take to each other. Place k of an orbit is
/// where element k takes its first patch: several places are one patch where that is its own
/// mirror, and those past the last element are -1.
struct VolumeOrbits {
  int places = 0;                   ///< of an orbit: 8, or 16 for as many elements
  std::vector<std::int32_t> patch;  ///< [orbit][place]
  // Where voxel `pixel` of place k gathers its sums: element e's stand at the voxel's image by
  // e^-1.
  std::vector<std::uint8_t> place;  ///< [e][k] in the orbit
  std::vector<std::uint8_t> pixel;  ///< [e][pixel] in its patch, the same for all patches
};

/// Empty where an element takes a patch apart, or one has gaps.
VolumeOrbits volume_orbits(const TileSymmetry& symmetry);
/// Whether that is not so, known by the sizes: patches are squares that divide the slices.
bool have_orbits(const VolumeGrid& grid, BlockOrderKind kind);

}  // namespace gantry
