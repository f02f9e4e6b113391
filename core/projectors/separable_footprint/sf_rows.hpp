#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <memory>

namespace gantry {

/// The separable-footprint weights of any ray in float64; see make_separable_footprint.
std::unique_ptr<RowSource> make_sf_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid);

/// Cosine of the angle of a ray to the plane of rotation, by detector cell: what the rectangle's
/// height is divided by.
double cone_cosine(const ScanGeometry& geometry, double column, double row);

}  // namespace gantry
