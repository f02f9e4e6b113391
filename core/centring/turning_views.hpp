#pragma once

#include "core/alignment/still_views.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// A scan as methods that find the axis take it. Of free poses that are a circle whose detector or
/// object was moved from view to view (ShiftedCircle) it is that circle, with some rows of the
/// views shifted back (still_views()). Of a detector that the beam does not reach everywhere it is
/// the rows and columns that see it (lit_part()). Every other scan is itself.
class TurningViews {
 public:
  /// Scan and line integrals, [view][row][column], must outlive this. Throws ShapeError.
  TurningViews(const ScanGeometry& scan, std::span<const float> line_integrals);

  const ScanGeometry& geometry() const { return changed_ ? *changed_ : scan_; }
  std::span<const float> line_integrals() const {
    return changed_ ? changed_values_ : line_integrals_;
  }
  /// Returns what to add to a column of these views for that of the scan: where an axis found at
  /// the column c is the true one, c + column_offset() is the central column that the scan should
  /// state.
  double column_offset() const { return column_offset_; }

 private:
  void take(StillViews views);

  const ScanGeometry& scan_;
  std::span<const float> line_integrals_;
  std::optional<ScanGeometry> changed_;  // shifted back, or a part
  std::vector<float> changed_values_;
  double column_offset_ = 0;
};

}  // namespace gantry
