#pragma once

#include "core/data/volume.hpp"

#include <string>

namespace gantry {

/// How simulated data were made. A scan file keeps it, so that whoever reconstructs them can be
/// warned of the inverse crime.
struct SimulationRecord {
  std::string projector;  ///< key; empty: exact line integrals of a phantom
  int subrays = 1;        ///< averaged across a cell; of a phantom in both directions
  VolumeGrid grid;        ///< whose voxels the projector projected

  friend bool operator==(const SimulationRecord&, const SimulationRecord&) = default;
};

/// "exact line integrals, mean of 4 x 4 rays a cell"; "projected by siddon, mean of 4 rays across
/// a cell, from 512 x 512 of 0.5 mm"
std::string describe(const SimulationRecord& record);

/// Whether to reconstruct with a projector on a grid undoes exactly what made the data: the same
/// projector, and voxels that are voxels of its grid as far as both reach.
bool is_inverse_crime(const SimulationRecord& record, const std::string& projector,
                      const VolumeGrid& grid);

}  // namespace gantry
