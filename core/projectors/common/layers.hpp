#pragma once

#include "core/data/volume.hpp"

namespace gantry {

/// The layers of a volume that a projector steps through for some rays: planes y = const for rays
/// that run along y rather than x, else planes x = const. Axis u runs inside a layer, axis w across
/// the layers.
struct Layers {
  bool along_y;      ///< layers are planes y = const
  int count, width;  ///< number of layers; pixels of a layer along u
  double u_spacing_mm, w_spacing_mm;
  double u_lower_mm;  ///< lower face of pixel 0
  double w_first_mm;  ///< centre of layer 0

  /// Returns the layers y = const (along_y) or x = const of a grid.
  static Layers of(const VolumeGrid& grid, bool along_y) {
    const Vec3 lower = grid.lower_corner_mm();
    if (along_y)
      return {true,    grid.ny,         grid.nx, grid.spacing_mm.x, grid.spacing_mm.y,
              lower.x, grid.origin_mm.y};
    return {false,   grid.nx,         grid.ny, grid.spacing_mm.y, grid.spacing_mm.x,
            lower.y, grid.origin_mm.x};
  }
};

}  // namespace gantry
