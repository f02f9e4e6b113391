#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam from pairs of views half a turn apart: one of them
/// is the mirror image of the other about the axis. Where there are no such pairs, the opposite of
/// a view is interpolated between neighbouring views, and in half a turn without its end both ends
/// are extrapolated (see centre_from_half_turn_ends). For each pair, the column with the least
/// squared difference in the overlap, relative to the squared values, is found to a
/// fraction of a cell by a parabola; the median over the pairs is returned. `line_integrals`:
/// [view][row][column]. Returns nothing for other beams, for scans without such views, and for
/// views that match nowhere (a mismatch above 0.5).
std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals);

}  // namespace gantry
