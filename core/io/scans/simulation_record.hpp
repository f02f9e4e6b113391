#pragma once

#include "core/data/volume.hpp"

#include <string>

namespace gantry {

/// How simulated data were made. A scan file stores this record, so that the program can warn of
/// the inverse crime when the data are reconstructed.
struct SimulationRecord {
  std::string projector;  ///< key of the projector; empty: exact line integrals of a phantom
  int subrays = 1;        ///< rays averaged per cell along u; for a phantom also along v
  VolumeGrid grid;        ///< grid of the image that the projector projected

  friend bool operator==(const SimulationRecord&, const SimulationRecord&) = default;
};

/// Returns the record in words: "exact line integrals, mean of 4 x 4 rays a cell"; "projected by
/// siddon, mean of 4 rays across a cell, from 512 x 512 of 0.5 mm".
std::string describe(const SimulationRecord& record);

/// Returns whether a reconstruction with `projector` on `grid` exactly inverts the simulation: the
/// projector is the same, and the voxels of both grids coincide wherever the grids overlap.
bool is_inverse_crime(const SimulationRecord& record, const std::string& projector,
                      const VolumeGrid& grid);

}  // namespace gantry
