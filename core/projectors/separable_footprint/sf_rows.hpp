#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <memory>

namespace gantry {

/// Returns the separable-footprint weights of any ray in float64; see make_separable_footprint.
std::unique_ptr<RowSource> make_sf_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid);

/// Returns the cosine of the angle between the ray to a cell and the plane of rotation (1 unless
/// the beam is a cone). The weights of the cell are divided by this cosine.
double cone_cosine(const ScanGeometry& geometry, double column, double row);

}  // namespace gantry
