#pragma once

#include "core/alignment/centre_estimate.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Finds the axis of rotation of a parallel beam from pairs of views half a turn apart: one of them
/// is the mirror image of the other about the axis. Where there are no such pairs, the opposite of
/// a view is interpolated between neighbouring views, and in half a turn without its end both ends
/// are extrapolated (see centre_from_half_turn_ends). The column is that of the least squared
/// difference in the overlap of all pairs, at most 256, relative to their squared deviations from
/// the mean (MirroredLines). The rows are averaged in at most 16 bands. Views over three quarters
/// of a turn, in 16 pairs or more, tell an axis near an end of the detector, where only 4 % of the
/// columns overlap; else a quarter of them must overlap.
///
/// `line_integrals`: [view][row][column]. CentreEstimate::spread is the standard error from eight
/// groups of pairs, of single pairs from their bands of rows. Returns nothing for other beams, for
/// scans without such views, and where they match nowhere (a mismatch above 0.5) or, over a whole
/// turn, nearly as well about another axis.
std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals);

/// Does the same with what changes from view to view. The difference of a view and its opposite has
/// lost what all views have in common, and is its own mirror image about the axis with the opposite
/// sign. Objects that are symmetric about the axis leave no such difference. Returns nothing also
/// where the differences fit nearly as well about another axis.
std::optional<CentreEstimate> centre_from_opposite_changes(const ScanGeometry& geometry,
                                                           std::span<const float> line_integrals);

}  // namespace gantry
