#include "core/worker/preview/scan_rows.hpp"

#include <cstddef>
#include <utility>

namespace gantry {

ScanSpec spec_of_rows(ScanSpec scan, RowRange rows) {
  scan.central_row -= rows.first;
  scan.detector_rows = rows.count;
  return scan;
}

ScanRows rows_of(const ScanSpec& scan, std::span<const float> line_integrals, RowRange rows) {
  ScanRows part{spec_of_rows(scan, rows), {}};
  const std::size_t kept = cell_index(scan, 0, rows.count),
                    cells = cell_index(scan, 0, scan.detector_rows),
                    views = scan.view_angles_rad.size();
  part.line_integrals.reserve(views * kept);
  for (std::size_t view = 0; view < views; ++view) {
    const auto of_view =
        line_integrals.subspan(view * cells + cell_index(scan, 0, rows.first), kept);
    part.line_integrals.insert(part.line_integrals.end(), of_view.begin(), of_view.end());
  }
  return part;
}

}  // namespace gantry
