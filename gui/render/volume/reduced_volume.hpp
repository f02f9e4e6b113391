#pragma once

#include "core/base/interrupt.hpp"
#include "core/geometry/volume_grid.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace gantry {

/// A block of voxels, by its number of voxels along x, y and z.
struct VoxelBlock {
  int x = 1, y = 1, z = 1;

  VoxelBlock() = default;
  VoxelBlock(int all) : x(all), y(all), z(all) {}
  VoxelBlock(int along_x, int along_y, int along_z) : x(along_x), y(along_y), z(along_z) {}
  friend bool operator==(const VoxelBlock&, const VoxelBlock&) = default;
};

/// A volume as it is drawn: itself, or its means over blocks of voxels.
struct ReducedVolume {
  VolumeGrid grid;                                   ///< of the values
  std::shared_ptr<const std::vector<float>> values;  ///< [iz][iy][ix], 1/mm
  VolumeGrid whole;                                  ///< the grid before it was reduced
  VoxelBlock block;                                  ///< over which each value is the mean
};

/// Returns the smallest block that leaves at most so many voxels, one voxel or more. Its sides are
/// about equal in mm: thick slices are left as they are while thin voxels are averaged.
VoxelBlock block_for(const VolumeGrid& grid, std::size_t most_voxels);

/// Returns a volume averaged over blocks, which have fewer voxels at the far borders, and its grid.
/// Throws Interrupted.
std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values,
                                                   VoxelBlock block,
                                                   const Interrupt* interrupt = nullptr);

/// Returns a volume of at most so many voxels; one that is small enough is not copied. Values that
/// are not finite become zero. Throws Interrupted.
ReducedVolume reduced(const VolumeGrid& grid, std::shared_ptr<const std::vector<float>> values,
                      std::size_t most_voxels, const Interrupt* interrupt = nullptr);

}  // namespace gantry
