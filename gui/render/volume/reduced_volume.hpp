#pragma once

#include "core/base/interrupt.hpp"
#include "core/geometry/volume_grid.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// A volume as it is drawn: itself, or its means over blocks of voxels.
struct ReducedVolume {
  VolumeGrid grid;                                   ///< of the values
  std::shared_ptr<const std::vector<float>> values;  ///< [iz][iy][ix], 1/mm
  VolumeGrid whole;                                  ///< the grid before it was reduced
  int block = 1;  ///< each value is the mean over block x block x block voxels; 1: itself
};

/// Returns the size of the blocks that leave at most so many voxels.
int block_for(const VolumeGrid& grid, std::size_t most_voxels);

/// Returns a volume averaged over blocks of n x n x n voxels, or fewer at the far borders, and its
/// grid. Throws Interrupted.
std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values, int n,
                                                   const Interrupt* interrupt = nullptr);

/// Returns a volume of at most so many voxels; one that is small enough is not copied. Values that
/// are not finite become zero. Throws Interrupted.
ReducedVolume reduced(const VolumeGrid& grid, std::shared_ptr<const std::vector<float>> values,
                      std::size_t most_voxels, const Interrupt* interrupt = nullptr);

}  // namespace gantry
