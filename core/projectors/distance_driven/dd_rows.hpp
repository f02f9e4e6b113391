#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <memory>

namespace gantry {

/// The distance-driven weights of any ray in float64, from their definition: the rays through the
/// middles of a cell's left and right edge meet each slice at the sides of an interval, its upper
/// and lower edge stand over a voxel column as magnified at that column's centre. A voxel's weight
/// is its share of that rectangle times the path of the central ray from slice to slice (mm).
std::unique_ptr<RowSource> make_dd_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid);

}  // namespace gantry
