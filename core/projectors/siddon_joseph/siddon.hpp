#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns a Siddon projector (Siddon, Med. Phys. 12 (1985) 252): A_ij is the length (mm) inside
/// voxel j of the ray through the centre of cell i. 2D and 3D, any scan, exact transpose. The sum
/// of a matrix row is the chord of the ray through the volume. Throws UsageError if a part of the
/// volume does not lie ahead of every source.
std::unique_ptr<Projector> make_siddon(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory siddon_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                            int multiprocessors);

}  // namespace gantry
