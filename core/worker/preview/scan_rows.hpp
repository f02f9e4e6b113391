#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <span>
#include <vector>

namespace gantry {

/// Rows of a detector that lie one above the other.
struct RowRange {
  int first = 0, count = 0;

  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// Some rows of a scan as a scan of their own.
struct ScanRows {
  ScanSpec spec;                      ///< of these rows, which stay where they are
  std::vector<float> line_integrals;  ///< [view][row][column]
};

/// Returns the scan on a circle or helix of some of its rows alone.
ScanSpec spec_of_rows(ScanSpec scan, RowRange rows);

/// Returns rows of a scan on a circle or helix. `line_integrals`: [view][row][column] of the scan.
ScanRows rows_of(const ScanSpec& scan, std::span<const float> line_integrals, RowRange rows);

}  // namespace gantry
