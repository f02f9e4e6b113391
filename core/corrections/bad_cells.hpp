#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Finds dead, stuck and wild cells of the detector and gives them the mean of their sound
/// neighbours in each view (CellRepair). Two statistics of a cell over the views are compared with
/// those of its 12 neighbours along the row and of its 12 neighbours along the column; a detector
/// of fewer than 3 rows is compared along the row only.
///
/// The level of a cell is the mean of its values. The cell is bad if, along the row or the column,
/// all of these hold:
/// - its level differs from the median of the neighbours' levels by more than `level` times their
///   spread (1.4826 times their median absolute deviation, but at least the spread of such
///   differences over the detector and a thousandth of the range of all levels). If the difference
///   is only a third of that, it suffices that the level differs as much from the means of the two
///   neighbours at each distance, because these means are equal on a slope;
/// - its level lies above or below the neighbours at some distance and at twice this distance. This
///   excludes cells at the foot of a shadow that does not move;
/// - it stands alone: fewer than two of the 8 adjacent cells differ, to the same side, half as much
///   from the usual level at their place. Otherwise the cells see an object on the axis, unless no
///   beam at all reaches the cell.
///
/// The roughness of a cell is the root mean square of p_i - (p_(i-1) + p_(i+1)) / 2 over the views
/// i. A cell is stuck if its roughness is below `still` times the lower quartile of the neighbours,
/// both along the row and along the column; it is wild above `wild` times the largest of three
/// medians: of the neighbours along the row, along the column, and of all cells that see a change.
/// A cell that never changes is stuck if its level differs from the levels of those cells within 2
/// rows and columns that never change either, and if it stands alone.
/// The comparison of a detector's cells with their neighbours follows common practice for flat
/// panels (ASTM E2597, underperforming pixels).
std::vector<ParamSpec> bad_cells_params();
std::unique_ptr<Correction> make_bad_cells(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
