#pragma once

// The single weights of the distance-driven model (De Man and Basu, Phys. Med. Biol. 49 (2004)
// 2463), as core/projectors/distance_driven/dd_rows.cpp defines them: the weight of pixel i of
// layer k and height z for column c and row q is
//   path_cq x (part of the column's interval on the layer that lies in the pixel)
//           x (part of the row's heights on the voxel line that lies in the voxel).
// Positions are float64, because the parts are small differences of large numbers.
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/device_math.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/projectors/common/seen_columns.hpp"

#include <cstdint>

namespace gantry::device {

/// Constants of one view. The ray of tangent t has the edge value s = (d t - b) / (a - c t)
/// (ExactLocate) and lies at the pixel coordinate scale_k s + shift_k on layer k (DdView). On the
/// voxel line of pixel i of layer k, a detector row has the height depth = depth_0 + i depth_i +
/// k depth_k, on an arc hypot(depth, side), in voxels (AxialRows).
struct DdWeightView {
  double scale_first, scale_step, shift_first, shift_step;
  double a, b, c, d;
  double depth_0, depth_i, depth_k, side_0, side_i, side_k;
  double source_z;  ///< in voxels above the lower face of the volume
  float layer_mm;   ///< from layer to layer
  int along_y;      ///< layers are planes y = const
};

/// One column of the detector in one view: the edge value of its lower edge, and the paths from
/// layer to layer of the central rays of its cells.
struct alignas(16) DdColumn {
  double edge;
  float square_in_plane;  ///< of the path in the plane, over the square of the layers' distance
  float rise_per_row;     ///< along z, over the distance of the layers

  GANTRY_HD float path_mm(float layer_mm, float rows_from_central) const {
    const float rise = rows_from_central * rise_per_row;
    return layer_mm * quick_sqrt(fmaf(rise, rise, square_in_plane));
  }
};

struct DdWeightScan {
  const DdWeightView* view;
  const DdColumn* column;  ///< [view][columns + 1]; of the last there is the edge alone
  int nx, ny, nz;
  int columns, rows;
  float gain, bias;  ///< tangent t is at gain t + bias (arc: gain atan(t) + bias), in columns:
                     ///< column c spans c .. c + 1
  float central_row;
  double row_origin;  ///< the height of the source, in rows: row q spans q .. q + 1
  int arc, cone;
  int planar;  ///< a single slice seen by one row: heights do not count
  int views;

  GANTRY_HD const DdColumn* columns_of(int v) const {
    return column + static_cast<std::size_t>(v) * (columns + 1);
  }
};

/// Smaller overlaps, in pixels, columns or rows, are rounding errors where two edges coincide.
constexpr double least_dd_overlap = 1e-9;

/// Returns the part of the interval between two edges that lies in a pixel, with positions from the
/// lower edge of this pixel, in pixels.
GANTRY_HD float dd_part(float edge, float other) {
  const float low = fminf(edge, other), high = fmaxf(edge, other),
              inside = fminf(high, 1.0F) - fmaxf(low, 0.0F);
  return inside > static_cast<float>(least_dd_overlap) ? inside * quick_reciprocal(high - low)
                                                       : 0.0F;
}

/// Returns 1/x to 1e-13: a step of Newton's method makes a quotient in float32 one in float64.
GANTRY_HD double dd_reciprocal(double x) {
  const double near = quick_reciprocal(static_cast<float>(x));
  return near * fma(-x, near, 2.0);
}

/// Where the edge values of columns lie on a layer, in pixels.
struct DdLayer {
  double scale, shift;

  /// Returns the position of an edge from the lower edge of pixel i.
  GANTRY_HD float from_pixel(double edge, int i) const {
    return static_cast<float>(fma(scale, edge, shift) - i);
  }
};
GANTRY_HD DdLayer dd_layer(const DdWeightView& view, int k) {
  return {fma(static_cast<double>(k), view.scale_step, view.scale_first),
          fma(static_cast<double>(k), view.shift_step, view.shift_first)};
}

/// The columns whose intervals can meet pixel i of a layer, widened by 0.02 columns.
GANTRY_HD ColumnRange dd_columns(const DdWeightScan& scan, const DdWeightView& view,
                                 const DdLayer& layer, int i) {
  const double inverse_scale = dd_reciprocal(layer.scale);
  const auto column_at = [&](double pixel) {
    const double s = (pixel - layer.shift) * inverse_scale;
    const float t = static_cast<float>(fma(view.a, s, view.b)) *
                    quick_reciprocal(static_cast<float>(fma(view.c, s, view.d)));
    return fmaf(scan.gain, scan.arc ? atanf(t) : t, scan.bias);
  };
  const float one = column_at(i), other = column_at(i + 1.0),
              top = static_cast<float>(scan.columns);
  constexpr float spare = 0.02F;
  return {static_cast<int>(floorf(clamped(fminf(one, other) - spare, 0.0F, top))),
          static_cast<int>(floorf(clamped(fmaxf(one, other) + spare, -1.0F, top - 1.0F)))};
}

/// The detector rows on a voxel line, in rows: voxel z spans at(z) .. at(z + 1).
struct DdHeights {
  double at_zero, rows_per_voxel;

  GANTRY_HD double at(int z) const { return fma(static_cast<double>(z), rows_per_voxel, at_zero); }
  /// Returns the part of detector row `row` that lies in voxel z: 0 where it is a rounding error.
  GANTRY_HD float part_in_voxel(int row, int z) const {
    const double low = at(z), inside = fmin(low + rows_per_voxel, row + 1.0) - fmax(low, 1.0 * row);
    return inside > least_dd_overlap ? static_cast<float>(inside) : 0.0F;
  }
};
GANTRY_HD DdHeights dd_heights(const DdWeightScan& scan, const DdWeightView& view, int i, int k) {
  const double u = i, w = k, depth = fma(w, view.depth_k, fma(u, view.depth_i, view.depth_0));
  double pitch = depth;
  if (scan.cone && scan.arc) {
    const double side = fma(w, view.side_k, fma(u, view.side_i, view.side_0));
    pitch = sqrt(depth * depth + side * side);
  }
  const double rows_per_voxel = dd_reciprocal(pitch);
  return {fma(-view.source_z, rows_per_voxel, scan.row_origin), rows_per_voxel};
}

struct DdRange {
  int first, last;
};
/// Returns the indices 0 .. count - 1 that a range of positions meets, where index n spans n .. n +
/// 1.
GANTRY_HD DdRange dd_range(double low, double high, int count) {
  return {static_cast<int>(floor(fmin(fmax(low, 0.0), 1.0 * count))),
          static_cast<int>(floor(fmin(fmax(high, -1.0), count - 1.0)))};
}

}  // namespace gantry::device
