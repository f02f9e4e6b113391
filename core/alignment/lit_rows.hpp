#pragma once

#include "core/alignment/still_views.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// Returns the rows of a scan that the beam reaches along most of their columns, with the geometry
/// of these rows; nothing where that are all rows, or too few. Cells that the beam does not reach
/// are 0 in all views (import sets them so): rows at the rim of a round screen show less of the
/// object on one side of the axis than on the other, and would shift the axis found from them.
/// `line_integrals`: [view][row][column].
std::optional<StillViews> lit_rows(const ScanGeometry& geometry,
                                   std::span<const float> line_integrals);

}  // namespace gantry
