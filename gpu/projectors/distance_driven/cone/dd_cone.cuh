#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry::device {

/// One view of the distance-driven model on the device; the host fills it from DdView (see there
/// for scale, shift and the edge table).
///
/// A row of the detector, seen at the voxel column over pixel i of slice k, is
///   pitch(i, k) = |depth_0 + i depth_i + k depth_k|, or the hypotenuse of that and side_*, for an
///   arc
/// voxels high, and row q spans source_z + (q - row_origin) pitch to source_z + (q + 1 -
/// row_origin) pitch, in voxels above the lower face of the volume.
struct DdConeView {
  double scale_first, scale_step, shift_first, shift_step;
  float depth_0, depth_i, depth_k;
  float side_0, side_i, side_k;
  float source_z;
  int along_y;   ///< slices are planes y = const
  int reversed;  ///< table cell c is detector column columns - 1 - c
  // Where an edge value s falls among the cells: see DdLocate.
  float a, b, c, d, gain, bias;
};

/// What does not change from view to view. `edge`: views x (columns + 1), ascending; `cell`: views
/// x columns, what a cell's sum is multiplied by; `rise`: views x columns, height of the central
/// ray per mm of row and unit of `cell`: weight(c, q) = cell sqrt(1 + (rise (q - central_row))^2).
struct DdConeScan {
  const DdConeView* view;
  const float *edge, *cell, *rise;
  int nx, ny, nz;
  int columns, rows;
  float row_origin;  ///< central_row + 0.5
  int first_view, view_stride, views;
  int arc;
};

/// Places of a volume whose lines along z are contiguous, with zeros around each line.
constexpr int line_padding = 4;

}  // namespace gantry::device
