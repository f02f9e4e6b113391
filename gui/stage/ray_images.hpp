#pragma once

#include "core/data/slice.hpp"
#include "core/geometry/scan_geometry.hpp"

#include <optional>
#include <span>

namespace gantry {

// Rays of a scan, [view][row][column], as pictures, and where points of the world appear in them.

/// Returns the rays of one view, true to scale: u is the distance along the columns and v along the
/// rows from the ray through the axis, mm on the detector. `index` is the view.
SliceImage projection_image(const ScanGeometry& geometry, std::span<const float> rays, int view);

/// Returns the rays of one detector row, a view below the other: u is the column, and the picture
/// is `aspect` times as wide as high, since views and columns are not lengths. `index` is the row.
SliceImage sinogram_image(const ScanGeometry& geometry, std::span<const float> rays, int row,
                          double aspect);

/// Returns the proportions with which a sinogram fills a view of this size, below its header;
/// limited, so that it stays recognisable in a flat or narrow view.
double sinogram_aspect(int width_px, int height_px);

/// A fractional position on the detector.
struct Cell {
  double column = 0, row = 0;
};
/// Returns where a view sees a point, which may be beyond the detector; nothing for a point beside
/// or behind the source.
std::optional<Cell> cell_of(const ScanGeometry& geometry, int view, Vec3 point_mm);

/// Returns the height that a detector row measures on the axis, mm; nothing for a single row, and
/// where the height differs from view to view, as on a helix.
std::optional<double> row_height_mm(const ScanGeometry& geometry, double row);

/// Returns the angle of a view in degrees, as it is shown: without the whole turns that the source
/// had made before the first view.
double shown_angle_deg(const ScanGeometry& geometry, int view);

}  // namespace gantry
