#pragma once

#include "core/corrections/correction.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Finds cells of the detector that are dead, stuck or wild and gives them the mean of their living
/// neighbours in each view (CellRepair). Two statistics over the views judge a cell, each against
/// its 12 neighbours along the row and those along the column; a detector of fewer than 3 rows has
/// none along the column:
/// - its level, the mean of its values: bad if, along the row or along the column, it lies off the
///   median of the neighbours' levels by more than `level` times their spread, which is 1.4826
///   times their median absolute deviation, and at least the spread of such differences over the
///   detector and a thousandth of the range of all levels. From a third of that on, the means of
///   the two neighbours at each distance decide likewise, which a slope leaves alike. It must lie
///   above or below the neighbours at a distance and at twice that, too: at the foot of a shadow
///   that stands still all lie far off the median of the others. And it must stand alone: where two
///   of the 8 cells about it lie half as far off as it does, from what is usual where they are,
///   that is an object on the axis, unless no beam at all reaches the cell;
/// - its roughness, the root mean square of p_i - (p_(i-1) + p_(i+1)) / 2 over the views i: stuck
///   below `still` times the lower quartile of both neighbours; wild above `wild` times the median
///   of both, and of all cells that see a change. A cell that never changes is stuck if its level
///   lies off that of the cells within 2 rows and columns that never change either, and stands
///   alone.
/// The comparison of a detector's cells with their neighbours follows common practice for flat
/// panels (ASTM E2597, underperforming pixels).
std::vector<ParamSpec> bad_cells_params();
std::unique_ptr<Correction> make_bad_cells(const ScanGeometry& scan, const Params& params);

}  // namespace gantry
