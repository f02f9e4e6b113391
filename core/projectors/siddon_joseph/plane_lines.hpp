#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/common/layers.hpp"

#include <array>
#include <vector>

namespace gantry {

/// The rays of one view that step through the same kind of layers, projected onto the plane of
/// rotation: the rays of an upright detector column share one projected ray. Here and in the code
/// that uses LineGroup, `line` is the index of a projected ray. Vectors have one entry for each.
struct LineGroup {
  Layers slices;
  std::vector<int> column;  ///< detector column
  /// The projected ray meets the middle of layer k at start + k step, in pixels (pixel i spans
  /// i .. i + 1); |step| <= 1.
  std::vector<double> start, step;
  std::vector<double> length_mm;  ///< path per layer, in the plane
  /// On the middle of layer k, the ray to row q has the height base + (zoom + k zoom_step)
  /// (q - central_row), in voxels above the volume's bottom face.
  std::vector<double> zoom, zoom_step;
  double base;

  int count() const { return static_cast<int>(column.size()); }
};

/// All rays of one view, each in the group whose layers the ray crosses more steeply (compared in
/// pixels). Only for scans with upright detector columns (has_upright_detector).
struct PlaneLines {
  std::array<LineGroup, 2> groups;  ///< layers y = const, layers x = const

  PlaneLines(const ScanGeometry& geometry, const VolumeGrid& grid, int view);
};

/// Returns whether in every view the detector columns are parallel to z, the detector rows parallel
/// to the plane of rotation, and the source at the height of the detector's reference point.
bool has_upright_detector(const ScanGeometry& geometry);

}  // namespace gantry
