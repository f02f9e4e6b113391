#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Distance-driven projector (De Man and Basu, Phys. Med. Biol. 49 (2004) 2463) with its exact
/// transpose: A_ij = overlap of the cell's footprint with voxel j on the voxel's slice / footprint
/// area * path length per slice. 2D for a single slice and row of a parallel or fan beam, else 3D.
/// Slices are chosen per view. Throws UsageError for a source inside the volume or a fan too wide
/// for slices.
std::unique_ptr<Projector> make_distance_driven(Backend& backend,
                                                std::shared_ptr<const ScanGeometry> geometry,
                                                const VolumeGrid& grid, const Params& params);

}  // namespace gantry
