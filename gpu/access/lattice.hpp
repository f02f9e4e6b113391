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
/// The groups of a warp lie in a tile of the plane, since voxels near each other are seen by the
/// same few columns of the detector in every view.
constexpr int tile_across = 8, tile_along = 4;

/// Returns the number of groups: those that hold the voxels of a lattice, and those beyond its
/// edges that fill up the tiles.
template <int Deep>
GANTRY_HD std::int64_t lattice_groups(const Lattice& lattice) {
  const std::int64_t across = (lattice.count[0] + tile_across - 1) / tile_across,
                     along = (lattice.count[1] + tile_along - 1) / tile_along;
  return across * along * (tile_across * tile_along) * ((lattice.count[2] + Deep - 1) / Deep);
}
/// Returns the voxels of a group, of which there are none beyond the edges of the lattice.
template <int Deep>
GANTRY_HD LatticeVoxels lattice_voxels(const Lattice& lattice, std::int64_t group) {
  constexpr int tile_groups = tile_across * tile_along;
  const int across = (lattice.count[0] + tile_across - 1) / tile_across,
            along = (lattice.count[1] + tile_along - 1) / tile_along;
  const int tile = static_cast<int>(group / tile_groups),
            in_tile = static_cast<int>(group % tile_groups), row_of_tiles = tile / across;
  const int x = tile % across * tile_across + in_tile % tile_across,
            y = row_of_tiles % along * tile_along + in_tile / tile_across,
            deep = row_of_tiles / along * Deep;  // of the first voxel, in the lattice
  if (x >= lattice.count[0] || y >= lattice.count[1] || deep >= lattice.count[2])
    return {0, 0, 0, 1, 0, 0, 0};
  const int ix = lattice.first[0] + x * lattice.stride[0],
            iy = lattice.first[1] + y * lattice.stride[1],
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
