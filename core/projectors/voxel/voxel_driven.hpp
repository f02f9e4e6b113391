#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Returns the voxel-driven projector: forward along rays with Siddon's weights (lengths, mm),
/// backward by interpolation at the projections of the voxels' centres (Zhuang et al., Phys. Med.
/// Biol. 39 (1994) 875: "pixel driven"), scaled by the density of rays at the voxel. The
/// backprojection approximates the transpose but is not equal to it: matched() is false. 2D and 3D,
/// circular and helical. Throws UsageError for free poses.
std::unique_ptr<Projector> make_voxel_driven(Backend& backend,
                                             std::shared_ptr<const ScanGeometry> geometry,
                                             const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory voxel_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                  int multiprocessors);

/// Returns the factors by which the rays of a view are multiplied before they are spread, for each
/// cell [row][column]: V / S (see voxel_driven.cpp) without the factor distance^-power.
std::vector<float> ray_density(const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
