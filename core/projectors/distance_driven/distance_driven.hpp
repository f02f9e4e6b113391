#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns a distance-driven projector (De Man and Basu, Phys. Med. Biol. 49 (2004) 2463) with its
/// exact transpose: A_ij is the overlap of the footprint of cell i with voxel j on the voxel's
/// layer, over the area of the footprint, times the path length per layer (mm). 2D for a single
/// slice seen by one row of a parallel or fan beam, else 3D. Layers are chosen per view. Throws
/// UsageError for a source inside the volume, a fan too wide for the layers, a slice of more than
/// 2^31 - 1 pixels, and free poses.
std::unique_ptr<Projector> make_distance_driven(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory distance_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                     int multiprocessors);

}  // namespace gantry
