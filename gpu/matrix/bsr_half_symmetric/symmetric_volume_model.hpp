#pragma once

// Rays and voxels of a cone beam under the elements of a symmetry, like those of a slice
// (symmetric_tiles_model.hpp): up to 16 elements, with the axial mirror. A volume is treated as a
// slice of rows * columns cells and nx * ny * nz pixels.
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"

namespace gantry::device {

constexpr int most_of_volume = 16;

/// The maps of voxels and rays by the 2^shift elements. No ray runs back along another.
struct VolumeImages {
  struct VoxelMap {
    int origin, step_x, step_y, step_z;
  };
  VoxelMap voxel_map[most_of_volume];
  int inverse[most_of_volume];
  const int* view_map;     ///< [element][view] 2 * view + (1: columns are reversed)
  unsigned rows_reversed;  ///< bits of the elements that reverse detector rows
  int shift, views, rows, columns, nx, ny;
  static constexpr bool opposites = false;

  GANTRY_HD int elements() const { return 1 << shift; }
  GANTRY_HD int slice(int row) const { return row >> shift; }
  GANTRY_HD int element(int row) const { return row & (elements() - 1); }
};

/// Voxels as a side of a product: their positions, images and addresses.
struct VolumeVoxels {
  VolumeImages images;
  SliceLayout layout;
  const int* at;                    ///< [position] voxel, or -1
  const unsigned short* owned;      ///< [position] bits of the elements that it owns
  const std::int64_t* patch_start;  ///< index into the entries; patches + 1
  int patches;

  static constexpr bool of_pixels = true;
  struct Place {
    int x, y, z;
  };
  GANTRY_HD Place place(int index) const {
    const int line = index / images.nx;
    return {index % images.nx, line % images.ny, line / images.ny};
  }
  GANTRY_HD int index(Place p) const { return (p.z * images.ny + p.y) * images.nx + p.x; }
  /// Returns the image of a voxel under an element, as x = its index and y = z = 0: fit for index()
  /// and address(), but not for another image().
  GANTRY_HD Place image(int element, Place p) const {
    const VolumeImages::VoxelMap& map = images.voxel_map[element];
    return {map.origin + p.x * map.step_x + p.y * map.step_y + p.z * map.step_z, 0, 0};
  }
  GANTRY_HD bool has_opposite(Place) const { return false; }
  GANTRY_HD Place opposite(Place p) const { return p; }
  GANTRY_HD bool wanted(Place) const { return true; }
  /// Returns whether no stored ray meets any of the 32 positions of a portion (two patches), as is
  /// the case beyond the source's plane.
  GANTRY_HD bool unseen(std::int64_t portion) const {
    const std::int64_t first = 2 * portion, end = first + 2 < patches ? first + 2 : patches;
    return patch_start[first] == patch_start[end];
  }
  GANTRY_HD std::int64_t address(Place p, int slice) const {
    return slice * layout.pixels + index(p);
  }
};

/// Rays as a side of a product, of which some views are wanted.
struct VolumeRays {
  VolumeImages images;
  SliceLayout layout;
  const int* at;
  const unsigned short* owned;
  ViewRange views;
  bool all_views;

  static constexpr bool of_pixels = false;
  struct Place {
    int view, row, column;
  };
  GANTRY_HD Place place(int index) const {
    const int line = index / images.columns;
    return {line / images.rows, line % images.rows, index % images.columns};
  }
  GANTRY_HD int index(Place p) const {
    return (p.view * images.rows + p.row) * images.columns + p.column;
  }
  GANTRY_HD Place image(int element, Place p) const {
    const int to = load_entry(images.view_map + element * images.views + p.view);
    return {to >> 1, (images.rows_reversed >> element & 1U) != 0 ? images.rows - 1 - p.row : p.row,
            (to & 1) != 0 ? images.columns - 1 - p.column : p.column};
  }
  GANTRY_HD bool has_opposite(Place) const { return false; }
  GANTRY_HD Place opposite(Place p) const { return p; }
  GANTRY_HD bool unseen(std::int64_t) const { return false; }
  GANTRY_HD bool wanted(Place p) const {
    return all_views || views.has(std::int64_t{p.view} * views.cells);
  }
  GANTRY_HD std::int64_t address(Place p, int slice) const {
    return std::int64_t{p.view} * layout.slices * layout.cells + slice * layout.cells +
           p.row * images.columns + p.column;
  }
};

/// Patches that the elements map to each other (core/matrix/tiles/volume_orbits.hpp).
struct VolumeOrbitTables {
  const int* patch;            ///< [orbit][k] k-th patch, -1: none
  const unsigned char* slot;   ///< [e][k] which patch of the orbit has element e's sums for patch k
  const unsigned char* pixel;  ///< [e][pixel] pixel of that patch
  int count;
};

}  // namespace gantry::device
