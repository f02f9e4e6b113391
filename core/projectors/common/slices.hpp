#pragma once

#include "core/data/volume.hpp"

namespace gantry {

/// Slices of a volume that the rays of one view cross: planes y = const when they run along y
/// rather than x, else planes x = const. `u` runs inside a slice, `w` across the slices.
struct Slices {
  bool along_y;      ///< planes y = const
  int count, width;  ///< slices, pixels inside a slice
  double u_spacing_mm, w_spacing_mm;
  double u_lower_mm;  ///< lower face of pixel 0
  double w_first_mm;  ///< centre of slice 0

  static Slices of(const VolumeGrid& grid, bool along_y) {
    const Vec3 lower = grid.lower_corner_mm();
    if (along_y)
      return {true,    grid.ny,         grid.nx, grid.spacing_mm.x, grid.spacing_mm.y,
              lower.x, grid.origin_mm.y};
    return {false,   grid.nx,         grid.ny, grid.spacing_mm.y, grid.spacing_mm.x,
            lower.y, grid.origin_mm.x};
  }
};

}  // namespace gantry
