#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry::device {

/// One view of the distance-driven model on the device; the host fills it from DdView (see there
/// for scale, shift and the edge table).
///
/// Projected onto the voxel line at pixel coordinate i of layer k, a detector row has the height
///   pitch(i, k) = depth                    (flat),    depth = depth_0 + i depth_i + k depth_k,
///   pitch(i, k) = hypot(depth, side)       (arc),     side likewise,
/// in voxels, and row q extends from source_z + (q - row_origin) pitch to
/// source_z + (q + 1 - row_origin) pitch, in voxels above the lower face of the volume.
struct DdConeView {
  double scale_first, scale_step, shift_first, shift_step;
  float depth_0, depth_i, depth_k;
  float side_0, side_i, side_k;
  float source_z;
  int along_y;   ///< 1: layers are planes y = const; 0: x = const
  int reversed;  ///< table cell c is detector column columns - 1 - c
  // The position of an edge value among the cells: see DdLocate.
  float a, b, c, d, gain, bias;
};

/// A scan on the device, and the views of it that a product processes: the nth is view first_view +
/// nth view_stride. `edge`: views x (columns + 1), ascending; `cell`: views x columns, the factor
/// of a cell's sum; `rise`: views x columns, the rise of the ray per row: weight(c, q) = cell
/// sqrt(1 + (rise (q - central_row))^2).
struct DdConeScan {
  const DdConeView* view;
  const float *edge, *cell, *rise;
  int nx, ny, nz;
  int columns, rows;
  float row_origin;  ///< central_row + 0.5
  int first_view, view_stride, views;
  int arc;
};

/// Zeros before and behind each voxel line of a copy of the volume with z contiguous, and each line
/// of rows of a copy of the rays: kernels read so many elements beyond the ends without tests.
constexpr int line_padding = 4;

}  // namespace gantry::device
