#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <memory>

namespace gantry {

/// Returns the distance-driven weights of any ray in float64, computed from their definition: the
/// rays through the middles of a cell's left and right edge bound an interval on each layer; the
/// cell's upper and lower edge are projected onto a voxel line with the magnification of the line's
/// centre (AxialRows). The weight of a voxel is the fraction of this rectangle that lies in the
/// voxel, times the path of the cell's central ray from layer to layer (mm).
std::unique_ptr<RowSource> make_dd_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid);

}  // namespace gantry
