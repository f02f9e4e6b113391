#pragma once

#include "core/alignment/still_views.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

/// A part of the rows and columns of a scan.
struct LitPart {
  StillViews views;
  int first_column = 0;  ///< of the scan: what to add to a column of the part
};

/// Returns the rows and columns of a scan that the beam reaches; nothing where that are all of
/// them, or too few. Cells that the beam does not reach are 0 in all views (import sets them so),
/// which the methods that find the axis would take for the edge of the object: a covered margin
/// pretends an axis in the middle of what is lit, and rows at the rim of a round screen show less
/// of the object on one side of the axis than on the other. The rows are the longest run in which
/// few more cells are unlit than in the best row, the columns the longest run that is lit in all of
/// these. `line_integrals`: [view][row][column].
std::optional<LitPart> lit_part(const ScanGeometry& geometry,
                                std::span<const float> line_integrals);

}  // namespace gantry
