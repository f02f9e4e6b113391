#pragma once

// The single weights of the distance-driven model (De Man and Basu, Phys. Med. Biol. 49 (2004)
// 2463), as core/projectors/distance_driven/dd_rows.cpp defines them: the weight of pixel i of
// layer k and height z for column c and row q is
//   path_cq x (part of the column's interval on the layer that lies in the pixel)
//           x (part of the row's heights on the voxel line that lies in the voxel).
// Positions are float64, because the parts are small differences of large numbers.
#include "gpu/access/ray_cell.hpp"
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
  float path_mm;    ///< parallel beam: path of a ray from layer to layer
  int along_y;      ///< layers are planes y = const
};

struct DdWeightScan {
  const DdWeightView* view;
  /// [2 columns + 1], tangents of the fan angles (parallel beam: mm along the detector) of the
  /// lower edge of column 0, its middle, the lower edge of column 1, ...
  const double* tangent;
  int nx, ny, nz;
  int columns, rows;
  float gain, bias;  ///< tangent t is at gain t + bias (arc: gain atan(t) + bias), in columns:
                     ///< column c spans c .. c + 1
  float central_row, row_slope;  ///< row pitch over SDD; 0: rays are level
  double row_origin;             ///< the height of the source, in rows: row q spans q .. q + 1
  int parallel, arc, cone;
  int planar;  ///< a single slice seen by one row: heights do not count
  int views;
};

/// Smaller overlaps, in pixels, columns or rows, are rounding errors where two edges coincide.
constexpr double least_dd_overlap = 1e-9;

/// An interval of a layer, in pixels.
struct DdInterval {
  double low, high;

  GANTRY_HD float part_in_pixel(int i) const {
    const double inside = fmin(high, i + 1.0) - fmax(low, 1.0 * i);
    return inside > least_dd_overlap ? static_cast<float>(inside) / static_cast<float>(high - low)
                                     : 0.0F;
  }
};

struct DdLayer {
  double scale, shift;

  GANTRY_HD DdInterval between(double edge, double other) const {
    const double at = fma(scale, edge, shift), next = fma(scale, other, shift);
    return {fmin(at, next), fmax(at, next)};
  }
};
GANTRY_HD DdLayer dd_layer(const DdWeightView& view, int k) {
  return {fma(static_cast<double>(k), view.scale_step, view.scale_first),
          fma(static_cast<double>(k), view.shift_step, view.shift_first)};
}

/// Returns the value of the lower edge of a column (c = columns: of the upper edge of the last).
GANTRY_HD double dd_edge(const DdWeightScan& scan, const DdWeightView& view, int c) {
  const double t = scan.tangent[2 * c];
  return (view.d * t - view.b) / (view.a - view.c * t);
}

/// The columns whose intervals can meet pixel i of a layer, widened by 0.02 columns.
GANTRY_HD ColumnRange dd_columns(const DdWeightScan& scan, const DdWeightView& view,
                                 const DdLayer& layer, int i) {
  const double inverse_scale = 1 / layer.scale;
  const auto column_at = [&](double pixel) {
    const double s = (pixel - layer.shift) * inverse_scale;
    const float t =
        static_cast<float>(fma(view.a, s, view.b)) / static_cast<float>(fma(view.c, s, view.d));
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
  GANTRY_HD float part_in_voxel(int row, int z) const {
    const double inside = fmin(at(z + 1), row + 1.0) - fmax(at(z), 1.0 * row);
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
  const double rows_per_voxel = 1 / pitch;
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

/// The paths from layer to layer of the central rays of a column's cells.
struct DdPaths {
  float square_in_plane;  ///< over the square of the distance of the layers
  float rise_per_row;     ///< along z, over the distance of the layers

  GANTRY_HD float path_mm(const DdWeightScan& scan, const DdWeightView& view, int row) const {
    if (scan.parallel) return view.path_mm;
    const float rise = (static_cast<float>(row) - scan.central_row) * rise_per_row;
    return view.layer_mm * sqrtf(fmaf(rise, rise, square_in_plane));
  }
};
GANTRY_HD DdPaths dd_paths(const DdWeightScan& scan, const DdWeightView& view, int c) {
  if (scan.parallel) return {0, 0};
  const double t = scan.tangent[2 * c + 1];
  const float ahead = static_cast<float>(view.a - view.c * t),
              slope = static_cast<float>(view.d * t - view.b) / ahead,
              tangent = static_cast<float>(t);
  const float rise = scan.row_slope / ahead;
  return {fmaf(slope, slope, 1.0F), scan.arc ? rise * sqrtf(fmaf(tangent, tangent, 1.0F)) : rise};
}

/// The single weights of a scan, for methods that use rows and columns one by one (gpu/access).
struct DdWeights {
  static constexpr int deep = 4;  ///< they share the columns of the detector that see them
  DdWeightScan scan;

  GANTRY_HD int views() const { return scan.views; }
  GANTRY_HD RayCell cell(int v, int row, int column) const {
    return ray_cell(v, row, column, scan.rows, scan.columns);
  }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
    const DdWeightView& view = scan.view[v];
    const int pixel = view.along_y ? ix : iy, slice = view.along_y ? iy : ix;
    const DdLayer layer = dd_layer(view, slice);
    const ColumnRange columns = dd_columns(scan, view, layer, pixel);
    if (columns.first > columns.last) return;
    const DdHeights heights = scan.planar ? DdHeights{0, 0} : dd_heights(scan, view, pixel, slice);
    double upper = dd_edge(scan, view, columns.first);
    for (int c = columns.first; c <= columns.last; ++c) {
      const double lower = upper;
      upper = dd_edge(scan, view, c + 1);
      const float part = layer.between(lower, upper).part_in_pixel(pixel);
      if (part == 0) continue;
      const DdPaths paths = dd_paths(scan, view, c);
      if (scan.planar) {
        use(0, cell(v, 0, c), part * paths.path_mm(scan, view, 0));
        continue;
      }
#pragma unroll
      for (int k = 0; k < Most; ++k) {
        if (k >= count) continue;
        const int z = iz + k * step;
        const DdRange rows = dd_range(heights.at(z), heights.at(z + 1), scan.rows);
        for (int row = rows.first; row <= rows.last; ++row)
          if (const float height = heights.part_in_voxel(row, z); height > 0)
            use(k, cell(v, row, c), part * height * paths.path_mm(scan, view, row));
      }
    }
  }

  /// Calls use(voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the layers.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int c = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const int row = rest % scan.rows, v = rest / scan.rows;
    const DdWeightView& view = scan.view[v];
    const double lower = dd_edge(scan, view, c), upper = dd_edge(scan, view, c + 1);
    const float path_mm = dd_paths(scan, view, c).path_mm(scan, view, row);
    const int width = view.along_y ? scan.nx : scan.ny, slices = view.along_y ? scan.ny : scan.nx;
    for (int k = lane; k < slices; k += lanes) {
      const DdInterval interval = dd_layer(view, k).between(lower, upper);
      const DdRange pixels = dd_range(interval.low, interval.high, width);
      for (int i = pixels.first; i <= pixels.last; ++i)
        if (const float part = interval.part_in_pixel(i); part > 0)
          visit_line(view, i, k, row, part * path_mm, use);
    }
  }

 private:
  /// Calls use(voxel, weight) for the voxels under a row on the voxel line of pixel i of layer k.
  template <class Use>
  GANTRY_HD void visit_line(const DdWeightView& view, int i, int k, int row, float weight,
                            const Use& use) const {
    const int x = view.along_y ? i : k, y = view.along_y ? k : i;
    const std::size_t pixel = static_cast<std::size_t>(y) * scan.nx + x,
                      pixels = static_cast<std::size_t>(scan.nx) * scan.ny;
    if (scan.planar) {
      use(pixel, weight);
      return;
    }
    const DdHeights heights = dd_heights(scan, view, i, k);
    const double low = (row - heights.at_zero) / heights.rows_per_voxel,
                 high = (row + 1 - heights.at_zero) / heights.rows_per_voxel;
    constexpr double spare = 1e-6;
    const DdRange voxels = dd_range(low - spare, high + spare, scan.nz);
    for (int z = voxels.first; z <= voxels.last; ++z)
      if (const float height = heights.part_in_voxel(row, z); height > 0)
        use(pixel + static_cast<std::size_t>(z) * pixels, weight * height);
  }
};

}  // namespace gantry::device
