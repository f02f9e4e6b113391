#pragma once

#include "core/geometry/volume_grid.hpp"
#include "core/geometry/voxel_lattice.hpp"
#include "gpu/device/host_device.hpp"

#include <cstddef>
#include <cstdint>

namespace gantry::device {

/// A VoxelLattice on a grid, for kernels.
struct Lattice {
  int first[3], stride[3], count[3];
  int nx, ny;
};

/// Up to Deep voxels of a lattice that lie above each other.
struct LatticeVoxels {
  int ix, iy, iz, step, count;  ///< voxels iz, iz + step, ...
  std::size_t first, stride;    ///< indices in the image

  GANTRY_HD std::size_t index(int k) const { return first + static_cast<std::size_t>(k) * stride; }
};
/// Returns the number of groups that hold the voxels of a lattice.
template <int Deep>
GANTRY_HD std::int64_t lattice_groups(const Lattice& lattice) {
  return static_cast<std::int64_t>(lattice.count[0]) * lattice.count[1] *
         ((lattice.count[2] + Deep - 1) / Deep);
}
template <int Deep>
GANTRY_HD LatticeVoxels lattice_voxels(const Lattice& lattice, std::int64_t group) {
  if (group >= lattice_groups<Deep>(lattice)) return {0, 0, 0, 1, 0, 0, 0};
  const int row = static_cast<int>(group / lattice.count[0]),
            deep = row / lattice.count[1] * Deep;  // the first, in the lattice
  const int ix = lattice.first[0] + static_cast<int>(group % lattice.count[0]) * lattice.stride[0],
            iy = lattice.first[1] + row % lattice.count[1] * lattice.stride[1],
            iz = lattice.first[2] + deep * lattice.stride[2];
  const std::size_t slice = static_cast<std::size_t>(lattice.nx) * lattice.ny;
  return {ix,
          iy,
          iz,
          lattice.stride[2],
          least(Deep, lattice.count[2] - deep),
          iz * slice + static_cast<std::size_t>(iy) * lattice.nx + ix,
          lattice.stride[2] * slice};
}

}  // namespace gantry::device

namespace gantry {

inline device::Lattice lattice_on(const VoxelLattice& voxels, const VolumeGrid& grid) {
  return {{voxels.first[0], voxels.first[1], voxels.first[2]},
          {voxels.stride[0], voxels.stride[1], voxels.stride[2]},
          {voxels.count(0, grid.nx), voxels.count(1, grid.ny), voxels.count(2, grid.nz)},
          grid.nx,
          grid.ny};
}

}  // namespace gantry
