#pragma once

#include "core/projectors/projector.hpp"

#include <memory>

namespace gantry {

/// Whether a scan is one problem in two dimensions for every slice of a grid: rows and slices of a
/// beam that does not diverge along the axis lie at the same heights, one to one.
bool is_stack(const ScanGeometry& geometry, const VolumeGrid& grid);

/// The 2D distance-driven pair on a CUDA device, for scans with is_planar or is_stack.
std::unique_ptr<Projector> make_cuda_dd_2d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid);

}  // namespace gantry
