#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns a Joseph projector (Joseph, IEEE Trans. Med. Imaging 1 (1982) 192): the volume is
/// sampled where the ray through the centre of cell i meets the middle plane of each layer, by
/// linear interpolation inside the layer; A_ij is the interpolation weight of voxel j times the
/// path from layer to layer (mm). 2D and 3D, any scan, exact transpose. Throws UsageError if a part
/// of the volume does not lie ahead of every source.
std::unique_ptr<Projector> make_joseph(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory joseph_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                            int multiprocessors);

}  // namespace gantry
