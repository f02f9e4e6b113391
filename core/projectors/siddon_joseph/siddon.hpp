#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Siddon projector (Siddon, Med. Phys. 12 (1985) 252): A_ij is the length (mm) of the ray through
/// the centre of cell i inside voxel j. 2D and 3D, exact transpose. The sum of a row is the chord
/// of the ray through the volume.
std::unique_ptr<Projector> make_siddon(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params& params);

}  // namespace gantry
