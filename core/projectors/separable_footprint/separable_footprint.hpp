#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Returns a separable-footprint projector with trapezoid and rectangle functions (SF-TR: Long,
/// Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839, sections III and IV) with its exact
/// transpose. In the plane of rotation, the footprint of a voxel is the trapezoid over the
/// projections of its four corners, whose height is the chord of the ray through the voxel's
/// centre; along the axis, the footprint is the rectangle over the voxel's projected height. A_ij
/// (mm) is the mean over cell i of the product of the two, divided by the cosine of the cell's cone
/// angle. 2D for a single slice seen by one row of a parallel or fan beam, else 3D; circular and
/// helical trajectories. Throws UsageError for free poses.
std::unique_ptr<Projector> make_separable_footprint(Backend& backend,
                                                    std::shared_ptr<const ScanGeometry> geometry,
                                                    const VolumeGrid& grid, const Params& params);
/// Returns the memory of that projector's products.
ProductMemory separable_footprint_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                         int multiprocessors);

}  // namespace gantry
