#pragma once

#include "core/backend/array.hpp"
#include "core/geometry/volume_grid.hpp"

namespace gantry {

/// Attenuation in 1/mm, [iz][iy][ix], on a grid.
struct Volume {
  VolumeGrid grid;
  Array mu;
};

}  // namespace gantry
