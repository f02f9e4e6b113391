#pragma once

#include "core/geometry/volume_grid.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace gantry {

/// The voxels of a grid whose index along each axis (x, y, z) is first, first + stride,
/// first + 2 stride, ... Methods that change voxels one by one update the voxels of a lattice
/// together.
struct VoxelLattice {
  std::array<int, 3> first{0, 0, 0}, stride{1, 1, 1};

  /// Returns the number of the lattice's indices along an axis of `size` voxels.
  int count(std::size_t axis, int size) const {
    return std::max(0, (size - first[axis] + stride[axis] - 1) / stride[axis]);
  }
  std::size_t voxels(const VolumeGrid& grid) const {
    return static_cast<std::size_t>(count(0, grid.nx)) *
           static_cast<std::size_t>(count(1, grid.ny)) *
           static_cast<std::size_t>(count(2, grid.nz));
  }
  friend bool operator==(const VoxelLattice&, const VoxelLattice&) = default;
};

/// Returns the lattices of stride `spacing` along every axis (or along shorter axes their number of
/// voxels), which together hold every voxel once: the colours of a colouring in which voxels of one
/// colour are `spacing` voxels apart. Successive lattices begin far from each other.
std::vector<VoxelLattice> voxel_colours(const VolumeGrid& grid, int spacing);

}  // namespace gantry
