#pragma once

#include "core/matrix/tiles/tile_symmetry.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_volume_model.hpp"

namespace gantry {

/// Returns the maps of a cone beam. `view_map` is a copy of symmetry.view_maps() in the memory
/// where the maps are used.
inline device::VolumeImages volume_images(const TileSymmetry& symmetry, const Projector& cone,
                                          const int* view_map) {
  device::VolumeImages images{};
  images.view_map = view_map;
  while (images.elements() < symmetry.elements()) ++images.shift;
  images.views = cone.views();
  images.rows = cone.geometry().rows();
  images.columns = cone.geometry().columns();
  images.nx = cone.grid().nx;
  images.ny = cone.grid().ny;
  for (int e = 0; e < symmetry.elements(); ++e) {
    const PixelMap& map = symmetry.pixel_maps()[static_cast<std::size_t>(e)];
    images.voxel_map[e] = {map.origin, map.step_x, map.step_y, map.step_z};
    images.inverse[e] = symmetry.inverse(e);
    if (symmetry.reverses_rows(e)) images.rows_reversed |= 1U << e;
  }
  return images;
}

}  // namespace gantry
