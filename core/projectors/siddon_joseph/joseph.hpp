#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Joseph projector (Joseph, IEEE Trans. Med. Imaging 1 (1982) 192): the volume is sampled where
/// the ray through the centre of cell i meets the middle of each slice, by linear interpolation
/// inside the slice; A_ij is the interpolation weight times the path from slice to slice (mm). 2D
/// and 3D, exact transpose, any scan.
std::unique_ptr<Projector> make_joseph(Backend& backend,
                                       std::shared_ptr<const ScanGeometry> geometry,
                                       const VolumeGrid& grid, const Params& params);

}  // namespace gantry
