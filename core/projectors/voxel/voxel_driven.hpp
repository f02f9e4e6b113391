#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Voxel-driven projector: forward along rays with Siddon's weights (lengths, mm), backward by
/// interpolation at the voxels' centres (Zhuang et al., Phys. Med. Biol. 39 (1994) 875: "pixel
/// driven"), scaled by the density of rays there, so that it comes near the transpose. Near is not
/// equal: matched() is false. 2D and 3D, also helical.
std::unique_ptr<Projector> make_voxel_driven(Backend& backend,
                                             std::shared_ptr<const ScanGeometry> geometry,
                                             const VolumeGrid& grid, const Params& params);

/// What a ray's value is multiplied by before it is spread, for each cell [row][column]: V / S (see
/// voxel_driven.cpp) without the factor distance^-power.
std::vector<float> ray_density(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
