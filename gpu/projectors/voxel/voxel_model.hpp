#pragma once

// Backprojection by interpolation; see core/projectors/voxel/voxel_backprojection.cpp for the
// formula. Along a voxel line the detector column and the magnification are constant, and the
// detector row is linear in z.
#include "gpu/device/host_device.hpp"

namespace gantry::device {

enum class VoxelRays { parallel, flat, arc };

/// Constants of one view: voxel (ix, iy) lies at across_0 + ix across_x + iy across_y along the
/// detector columns and at depth_0 + ix depth_x + iy depth_y ahead of the source, mm. `rise` is
/// that of VoxelScan.
struct VoxelView {
  double across_0, across_x, across_y, depth_0, depth_x, depth_y;
  float rise;
};

/// Constants of the scan. A voxel line projects to column gain q + bias with q = across, across /
/// depth or atan(across / depth); its voxel z projects to row center + (rise + z rise_step) zoom,
/// where zoom is 1 / distance, or 1 unless the beam diverges along z. The value is weighted by 1 /
/// distance^power.
struct VoxelScan {
  const VoxelView* view;
  int nx, ny, nz;
  int columns, rows;
  float gain, bias, center, rise_step;
  VoxelRays rays;
  int power;
  int diverges;  ///< cone beam: zoom = 1 / distance; else 1
  int first_view, view_stride, views;
};

/// Views before they are rearranged: value (view, row, column) at rows[view view_step + row
/// row_step + column], times factor[row columns + column] unless `factor` is null.
struct VoxelRows {
  const float* rows;
  std::size_t view_step, row_step;
  const float* factor;
};

/// Layout of the rearranged views: [view][column + 1][row + 1], with a line of zeros before the
/// first and after the last column, and with the outermost rows repeated. For a single slice seen
/// by one row (voxel_spread_single): [view][column + 1].
GANTRY_HD int voxel_lines(const VoxelScan& scan) { return scan.columns + 2; }
GANTRY_HD int voxel_line_length(const VoxelScan& scan) { return scan.rows + 2; }

/// Where a voxel line projects to: detector column + 1 (index of the line in the rearranged view),
/// and 1 / distance.
struct VoxelLanding {
  float column, inverse;
};
GANTRY_HD VoxelLanding land(const VoxelScan& scan, const VoxelView& view, int x, int y) {
  const float across =
      static_cast<float>(fma(static_cast<double>(y), view.across_y,
                             fma(static_cast<double>(x), view.across_x, view.across_0)));
  float q = across, inverse = 1.0F;
  if (scan.rays != VoxelRays::parallel) {
    const float depth =
        static_cast<float>(fma(static_cast<double>(y), view.depth_y,
                               fma(static_cast<double>(x), view.depth_x, view.depth_0)));
    if (scan.rays == VoxelRays::flat) {
      inverse = 1.0F / depth;
      q = across * inverse;
    } else {
      inverse = 1.0F / sqrtf(fmaf(across, across, depth * depth));
      q = atanf(across / depth);
    }
  }
  return {fmaf(scan.gain, q, scan.bias + 1.0F), inverse};
}
GANTRY_HD float distance_weight(const VoxelScan& scan, float inverse) {
  if (scan.rays == VoxelRays::parallel) return 1.0F;
  return scan.power == 1 ? inverse : inverse * inverse;
}

/// Whether a view sees none, some or all of certain voxels of a line.
enum class VoxelsSeen : int { none, some, all };

/// What a view contributes to a voxel line: two neighbouring detector columns with weights from_a
/// and from_b; voxel z reads them at index first + z step along the column (row + 1), for low <= z
/// <= high.
struct alignas(16) VoxelLine {
  int offset;  ///< of the first column in the data
  float from_a, from_b;
  float first, step;
  float low, high;
  VoxelsSeen seen;  ///< set by the caller of voxels_seen()
};

/// Computes the contribution of a view to voxel line (x, y). `nth` counts the selected views, with
/// which the data begin.
GANTRY_HD VoxelLine voxel_line(const VoxelScan& scan, int nth, int x, int y) {
  VoxelLine line{0, 0, 0, 0, 0, 1, 0, VoxelsSeen::none};
  if (nth >= scan.views || x >= scan.nx || y >= scan.ny) return line;
  const VoxelView& view = scan.view[scan.first_view + nth * scan.view_stride];
  const VoxelLanding at = land(scan, view, x, y);
  if (!(at.column > 0 && at.column < static_cast<float>(scan.columns + 1))) return line;
  const float zoom = scan.diverges ? at.inverse : 1.0F;
  const float place = fmaf(view.rise, zoom, scan.center) + 1.0F, step = scan.rise_step * zoom;
  line.low = fmaxf((0.5F - place) / step, 0.0F);
  line.high = fminf((scan.rows + 0.5F - place) / step, scan.nz - 1.0F);
  const int c = static_cast<int>(at.column);
  const float beyond = at.column - c, weight = distance_weight(scan, at.inverse);
  line.offset = (nth * voxel_lines(scan) + c) * voxel_line_length(scan);
  line.from_a = weight * (1.0F - beyond);
  line.from_b = weight * beyond;
  line.first = place;
  line.step = step;
  return line;
}

/// Returns which of the voxels bottom .. top the view sees.
GANTRY_HD VoxelsSeen voxels_seen(const VoxelLine& line, float bottom, float top) {
  if (line.high < line.low || line.high < bottom || line.low > top) return VoxelsSeen::none;
  return line.low <= bottom && line.high >= top ? VoxelsSeen::all : VoxelsSeen::some;
}

/// Returns the contribution of a view to a voxel at index `place` along the column, if the voxel
/// lies between low and high. Offsets are unsigned 32-bit numbers relative to one base address,
/// which the load instruction adds itself.
GANTRY_HD float voxel_value(const VoxelLine& line, const float* data, int length, float place) {
  const Floor at = floor_of(place);
  const unsigned a = static_cast<unsigned>(line.offset + at.index),
                 b = a + static_cast<unsigned>(length);
  const float below = fmaf(line.from_b, load(data + b), line.from_a * load(data + a));
  const float above = fmaf(line.from_b, load(data + b + 1), line.from_a * load(data + a + 1));
  return fmaf(at.part, above - below, below);
}
GANTRY_HD float voxel_value_if_seen(const VoxelLine& line, const float* data, int rows, float z) {
  const float place = clamped(fmaf(z, line.step, line.first), 0.0F, rows + 0.5F);
  const float value = voxel_value(line, data, rows + 2, place);
  return z >= line.low && z <= line.high ? value : 0.0F;
}

/// Returns the contribution of a view to a pixel of a single slice seen by one row.
GANTRY_HD float voxel_value_single(const VoxelScan& scan, const float* data, int nth, int x,
                                   int y) {
  const VoxelLanding at = land(scan, scan.view[scan.first_view + nth * scan.view_stride], x, y);
  if (!(at.column > 0 && at.column < static_cast<float>(scan.columns + 1))) return 0;
  const int c = static_cast<int>(at.column);
  const float* a = data + (static_cast<std::size_t>(nth) * voxel_lines(scan) + c);
  const float first = load(a);
  return distance_weight(scan, at.inverse) * fmaf(at.column - c, load(a + 1) - first, first);
}

}  // namespace gantry::device
