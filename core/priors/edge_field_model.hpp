#pragma once

// The edge field of Ambrosio and Tortorelli's penalty (mumford_shah.hpp) at a single voxel, for the
// CPU and for GPUs.
#include "core/priors/magnitude_model.hpp"

namespace gantry::device {

/// The constants of the edge energy 1/2 (offset (1 - v)^2 + bend |grad v|^2).
struct EdgeEnergy {
  float offset;  ///< tau^2, 1/mm^2
  float bend;    ///< 4 eps^2 tau^2, 1/mm^2
};

/// Returns the v of a voxel that minimises R while its neighbours stay as they are.
GANTRY_HD float best_edge(const MagnitudeField& field, const EdgeEnergy& energy, const float* x,
                          const float* v, int ix, int iy, int iz) {
  const float slope = magnitude_gradient_at(field, x, ix, iy, iz).magnitude;
  const float* at = v + magnitude_voxel(field, ix, iy, iz);
  float pull = energy.offset, stiffness = energy.offset;
  for (int axis = 0; axis < field.axes; ++axis) {
    const MagnitudeAxis a = magnitude_axis(field, axis, ix, iy, iz);
    const float bend = energy.bend * field.weight[axis] * field.weight[axis];
    // The neighbours change within the same launch only where their index sums have other parity.
    if (a.has_next) {
      pull += bend * at[a.stride];
      stiffness += bend;
    }
    if (a.has_previous) {
      pull += bend * *(at - a.stride);
      stiffness += bend;
    }
  }
  return pull / (slope * slope + stiffness);
}

/// Returns the contribution of a voxel to the edge energy.
GANTRY_HD float edge_energy(const MagnitudeField& field, const EdgeEnergy& energy, const float* v,
                            int ix, int iy, int iz) {
  const float missing = 1.0F - v[magnitude_voxel(field, ix, iy, iz)];
  const float slope = magnitude_gradient_at(field, v, ix, iy, iz).magnitude;
  return 0.5F * (energy.offset * missing * missing + energy.bend * slope * slope);
}

}  // namespace gantry::device
