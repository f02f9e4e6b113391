#pragma once

#include "core/geometry/scan_geometry.hpp"

namespace gantry {

/// The cells of columns first_column .. last_column and rows first_row .. last_row; none if a last
/// index is below its first.
struct CellRange {
  int first_column = 0, last_column = -1, first_row = 0, last_row = -1;
};

/// The plane of a flat detector: its normal, and the vectors whose products with a vector in the
/// plane give columns and rows. Columns and rows of a free pose need not be perpendicular.
struct DetectorAxes {
  Vec3 normal, per_column, per_row;
  explicit DetectorAxes(const View& pose);
};

/// The projection of boxes onto the detector in one view.
class CellShadow {
 public:
  /// `planar`: heights do not count (a single slice seen by one detector row).
  CellShadow(const ScanGeometry& geometry, int view, bool planar);

  /// Returns a rectangle of cells that contains every cell to which a ray through the box may lead.
  /// The box has the centre `center` and extends by `reach` on either side (mm); all of it must lie
  /// ahead of the source.
  CellRange of(Vec3 center, Vec3 reach) const;

 private:
  struct Point {
    double column, row;
  };
  Point project(Vec3 p) const;
  /// Returns the projection of a point onto an arc, with its row for the in-plane distance given.
  Point project_on_arc(Vec3 from_source, double distance) const;

  const ScanSpec& spec_;
  bool planar_;
  View pose_;
  DetectorAxes axes_;
  Vec3 across_, forward_;
};

}  // namespace gantry
