#pragma once

#include "core/geometry/coarsening.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <span>
#include <vector>

namespace gantry {

/// A scan with some of its views and wide cells.
struct CoarseScan {
  ScanSpec spec;
  std::vector<float> values;  ///< [view][row][column]
};

/// Returns every so manieth view that at most `most_views` are left, with the means of groups of
/// cells. Columns and rows at the end that fill no group are left out.
CoarseScan coarse_scan(const ScanGeometry& geometry, std::span<const float> line_integrals,
                       CellBinning binning, int most_views);

}  // namespace gantry
