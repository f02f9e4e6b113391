#pragma once

#include "core/base/params.hpp"
#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Separable-footprint projector with trapezoid and rectangle functions (SF-TR: Long, Fessler and
/// Balter, IEEE Trans. Med. Imaging 29 (2010) 1839, sections III and IV) with its exact transpose.
/// In the plane of rotation a voxel's footprint is the trapezoid over the projections of its four
/// corners, of the height of the longest chord of the ray through its centre; along the axis it is
/// the rectangle of its projected height; A_ij (mm) is the mean of their product over the cell,
/// over the cosine of the cell's cone angle. 2D for a single slice and row of a parallel or fan
/// beam, else 3D; circular and helical trajectories.
std::unique_ptr<Projector> make_separable_footprint(Backend& backend,
                                                    std::shared_ptr<const ScanGeometry> geometry,
                                                    const VolumeGrid& grid, const Params& params);

}  // namespace gantry
