#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// The largest numbers of columns, rows and views that are kept of a scan, each at least 1.
struct EvenViewLimits {
  int columns = 512, rows = 64, views = 360;
};

/// Views of a circle in the order of growing angles, at equal steps over one turn at most; some may
/// be missing. Cells are means of neighbouring cells of the detector. Of many views, only every
/// second, third and so on is kept.
struct EvenViews {
  int views = 0, rows = 0, columns = 0;
  double step_rad = 0;      ///< from a view to the next one
  bool is_closed = false;   ///< the first view follows the last one after a step
  int column_bin = 1;       ///< columns of the detector that a column averages
  double first_column = 0;  ///< the detector's column in the middle of column 0
  double central_row = 0;   ///< an index of the averaged rows
  double column_pitch_mm = 0, row_pitch_mm = 0;
  std::vector<bool> is_measured;  ///< [view]
  std::vector<float> values;      ///< [row][column][view]; 0 in missing views

  const float* cell(int row, int column) const {
    const std::size_t index = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                              static_cast<std::size_t>(column);
    return values.data() + index * static_cast<std::size_t>(views);
  }
  double detector_column(double column) const { return first_column + column_bin * column; }
};

/// Returns the views of a scan; nothing for fewer than two, for other trajectories than circles,
/// where an angle is 5 % of a step away from a multiple of the usual step, and where more views are
/// missing than measured. `line_integrals`: [view][row][column].
std::optional<EvenViews> even_views(const ScanGeometry& geometry,
                                    std::span<const float> line_integrals,
                                    const EvenViewLimits& limits = {});

}  // namespace gantry
