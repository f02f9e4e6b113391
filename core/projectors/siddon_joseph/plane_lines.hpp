#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/slices.hpp"

#include <array>
#include <vector>

namespace gantry {

/// Rays of one view that cross the same kind of slices, as lines in the plane of rotation; one line
/// per detector column. Vectors run over the lines.
struct LineGroup {
  Slices slices;
  std::vector<int> column;
  /// In pixels (pixel i spans i .. i + 1): the line meets the middle of slice k at start + k step;
  /// |step| <= 1.
  std::vector<double> start, step;
  std::vector<double> length_mm;  ///< path per slice, in the plane
  /// Height of the ray to row q there, in voxels from the volume's bottom face:
  /// base + (zoom + k zoom_step) (q - central_row).
  std::vector<double> zoom, zoom_step;
  double base;

  int count() const { return static_cast<int>(column.size()); }
};

/// All rays of one view, each in the group whose slices it crosses more steeply (compared in
/// pixels). For scans whose detector columns stand upright, so that the rays of a column share one
/// line.
struct PlaneLines {
  std::array<LineGroup, 2> groups;  ///< slices along y, slices along x

  PlaneLines(const ScanGeometry& geometry, const VolumeGrid& grid, int view);
};

/// Whether the columns of every view are parallel to z and its rows to the plane of rotation, with
/// the source at the height of the detector's reference point.
bool has_upright_detector(const ScanGeometry& geometry);

}  // namespace gantry
