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
  /// 32 successive groups lie in a tile of tile_across x (32 / tile_across) voxels of the lattice.
  int tile_across;
};

/// Shapes of tiles. Voxels of a block are seen by the same few columns of the detector in every
/// view, so that little is read for them. Voxels of a row are seen by many columns in most views,
/// so that what they add to rays seldom meets.
constexpr int block_tile = 8, row_tile = 32;

/// Up to Deep voxels of a lattice that lie above each other.
struct LatticeVoxels {
  int ix, iy, iz, step, count;  ///< voxels iz, iz + step, ...
  std::size_t first, stride;    ///< indices in the image

  GANTRY_HD std::size_t index(int k) const { return first + static_cast<std::size_t>(k) * stride; }
};

constexpr int groups_of_tile = 32;

/// Returns the number of groups: those that hold the voxels of a lattice, and those beyond its
/// edges that fill up the tiles.
template <int Deep>
GANTRY_HD std::int64_t lattice_groups(const Lattice& lattice) {
  const int width = lattice.tile_across, height = groups_of_tile / width;
  const std::int64_t across = (lattice.count[0] + width - 1) / width,
                     along = (lattice.count[1] + height - 1) / height;
  return across * along * groups_of_tile * ((lattice.count[2] + Deep - 1) / Deep);
}
/// Returns the voxels of a group, of which there are none beyond the edges of the lattice.
template <int Deep>
GANTRY_HD LatticeVoxels lattice_voxels(const Lattice& lattice, std::int64_t group) {
  const int width = lattice.tile_across, height = groups_of_tile / width,
            across = (lattice.count[0] + width - 1) / width,
            along = (lattice.count[1] + height - 1) / height;
  const int tile = static_cast<int>(group / groups_of_tile),
            in_tile = static_cast<int>(group % groups_of_tile), row_of_tiles = tile / across;
  const int x = tile % across * width + in_tile % width,
            y = row_of_tiles % along * height + in_tile / width,
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

inline device::Lattice lattice_on(const VoxelLattice& voxels, const VolumeGrid& grid,
                                  int tile_across = device::block_tile) {
  return {{voxels.first[0], voxels.first[1], voxels.first[2]},
          {voxels.stride[0], voxels.stride[1], voxels.stride[2]},
          {voxels.count(0, grid.nx), voxels.count(1, grid.ny), voxels.count(2, grid.nz)},
          grid.nx,
          grid.ny,
          tile_across};
}

}  // namespace gantry
