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

/// The columns whose intervals can meet pixel i of a layer, widened by 0.02 columns.
GANTRY_HD ColumnRange dd_columns(const DdWeightScan& scan, const DdWeightView& view,
                                 const DdLayer& layer, int i) {
  // A step of Newton's method makes a quotient in float32 one in float64.
  const double near = 1.0F / static_cast<float>(layer.scale),
               inverse_scale = near * fma(-layer.scale, near, 2.0);
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

/// The detector rows that see a voxel: row `first` by the part `in_first`, the next ones by what
/// remains of `span`, the height of a voxel in rows.
struct DdRows {
  int first;
  float in_first, span;

  GANTRY_HD float part(int row) const {
    return row == first ? in_first
                        : fminf(span - in_first - static_cast<float>(row - first - 1), 1.0F);
  }
  /// Calls use(row, part) for the rows of a detector that see the voxel.
  template <class Use>
  GANTRY_HD void for_rows(int rows, const Use& use) const {
    constexpr auto least = static_cast<float>(least_dd_overlap);
    for (int row = first > 0 ? first : 0; row < rows; ++row) {
      const float here = part(row);
      if (here > least)
        use(row, here);
      else if (row != first)
        return;
    }
  }
};

/// The detector rows on a voxel line, in rows: voxel z spans at(z) .. at(z + 1).
struct DdHeights {
  double at_zero, rows_per_voxel;

  GANTRY_HD double at(int z) const { return fma(static_cast<double>(z), rows_per_voxel, at_zero); }
  GANTRY_HD DdRows rows_of(int z) const {
    const double low = at(z), below = floor(low);
    const float span = static_cast<float>(rows_per_voxel);
    return {static_cast<int>(below), fminf(static_cast<float>(below + 1 - low), span), span};
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
    DdRows rows[Most];
    if (!scan.planar) {
      const DdHeights heights = dd_heights(scan, view, pixel, slice);
#pragma unroll
      for (int k = 0; k < Most; ++k) rows[k] = heights.rows_of(iz + k * step);
    }
    const DdColumn* of_view = scan.columns_of(v);
    DdColumn column = of_view[columns.first];
    for (int c = columns.first; c <= columns.last; ++c) {
      const DdColumn next = of_view[c + 1];
      const float part = layer.between(column.edge, next.edge).part_in_pixel(pixel);
      if (part > 0 && scan.planar) {
        use(0, cell(v, 0, c), part * column.path_mm(view.layer_mm, 0));
      } else if (part > 0) {
        const RayCell lowest = cell(v, 0, c);
#pragma unroll
        for (int k = 0; k < Most; ++k) {
          if (k >= count) continue;
          rows[k].for_rows(scan.rows, [&](int row, float height) {
            use(k, above(lowest, row, scan.columns),
                part * height *
                    column.path_mm(view.layer_mm, static_cast<float>(row) - scan.central_row));
          });
        }
      }
      column = next;
    }
  }

  /// Calls use(voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the layers.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int c = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const int row = rest % scan.rows, v = rest / scan.rows;
    const DdWeightView& view = scan.view[v];
    const DdColumn column = scan.columns_of(v)[c];
    const double lower = column.edge, upper = scan.columns_of(v)[c + 1].edge;
    const float path_mm = column.path_mm(view.layer_mm, static_cast<float>(row) - scan.central_row);
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
    for (int z = voxels.first; z <= voxels.last; ++z) {
      const DdRows rows = heights.rows_of(z);
      if (row < rows.first) continue;
      if (const float height = rows.part(row); height > static_cast<float>(least_dd_overlap))
        use(pixel + static_cast<std::size_t>(z) * pixels, weight * height);
    }
  }
};

}  // namespace gantry::device
