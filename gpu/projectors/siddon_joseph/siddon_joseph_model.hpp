#pragma once

// Siddon's and Joseph's weights where detector columns are parallel to z, as overlaps of intervals
// with pixels: see core/projectors/siddon_joseph/siddon_joseph_kernels.hpp and
// siddon_joseph_3d.cpp. In layer k the rays of a detector column weigh the pixels under an interval
// around the position where they cross the layer. Over each of these pixels, row q weighs the
// voxels under an interval around its height, in voxels,
//   base + (zoom + k zoom_step) (q - central_row).
// Siddon's intervals are as long as the ray advances over the layer (the pixel), Joseph's are one
// pixel and one voxel long. With F(a) the part of an interval below a, the weight of voxel z is F(z
// + 1) - F(z), both in the forward product and in the transpose.
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/device_math.hpp"
#include "gpu/projectors/common/height_interval.hpp"
#include "gpu/projectors/siddon_joseph/ray_weighting.hpp"

namespace gantry::device {

/// The rays of one detector column of one view (see PlaneLines). In pixels, where pixel i spans i
/// .. i + 1, the rays cross the middle of layer k at place(k).
struct SiddonJosephLine {
  PlaceLine place;
  float length_mm;        ///< path per layer in the plane of rotation
  float zoom, zoom_step;  ///< voxels per detector row in layer 0; change per layer
  int along_y;            ///< layers are planes y = const
};

/// The projection of pixels for one view: pixel (x, y) is seen near column gain q + bias, q = p or
/// on an arc atan(p), p = (across_0 + x across_x + y across_y) / (depth_0 + x depth_x + y depth_y).
struct SiddonJosephView {
  float across_0, across_x, across_y, depth_0, depth_x, depth_y;
  float base;  ///< height of the central row in voxels above the lower face of the volume
  int kinds;   ///< bit 0: some columns cross layers y = const; bit 1: some x = const
};

struct SiddonJosephScan {
  const SiddonJosephView* view;
  const SiddonJosephLine* line;  ///< [view][column]
  int nx, ny, nz;
  int columns, rows;
  float central_row, farthest_row;  ///< farthest_row: its distance from central_row, in rows
  float voxel_height_mm;
  float gain, bias;
  int arc;
  int first_view, view_stride, views;

  GANTRY_HD int view_index(int nth) const { return first_view + nth * view_stride; }
};

/// Pixel `first` has the part `share` of an interval, the next pixel the rest.
struct Crossing {
  int first;
  float share;
};

template <RayWeighting weights>
GANTRY_HD float interval_length(const SiddonJosephLine& line) {
  return weights == RayWeighting::crossing ? fmaxf(fabsf(line.place.step), 1e-6F) : 1.0F;
}
template <RayWeighting weights>
GANTRY_HD Crossing crossing(const SiddonJosephLine& line, int k) {
  const float length = interval_length<weights>(line);
  const Place middle = place_at(line.place, k);
  const float low = fmaf(-0.5F, length, middle.part), below = floorf(low);
  return {middle.whole + static_cast<int>(below), fminf((below + 1.0F - low) / length, 1.0F)};
}

/// The height intervals of the rows of one column over one pixel of one layer. With d = q -
/// central_row, row q's interval is centred at base + zoom d; its length is climb |d| (Siddon) or 1
/// (Joseph).
struct RowHeights {
  float zoom;
  float climb;  ///< Siddon: interval length per row of distance from the central row
};

/// Returns the height intervals over the first pixel under the interval in layer k, or over the
/// `next` pixel; `share` is the part of the interval over this pixel.
template <RayWeighting weights>
GANTRY_HD RowHeights row_heights(const SiddonJosephLine& line, int k, bool next, float share) {
  float slice = static_cast<float>(k);
  if (weights == RayWeighting::interpolated) return {fmaf(slice, line.zoom_step, line.zoom), 0};
  // The layer spans positions -1/2 .. 1/2; a ray of negative step crosses the higher pixel first.
  const bool early = next == (line.place.step < 0);
  slice += early ? 0.5F * (share - 1.0F) : 0.5F * (1.0F - share);
  return {fmaf(slice, line.zoom_step, line.zoom), fmaxf(fabsf(line.zoom_step) * share, 1e-9F)};
}

template <RayWeighting weights>
GANTRY_HD HeightInterval height_interval(const RowHeights& heights, float base, float distance) {
  const float middle = fmaf(heights.zoom, distance, base);
  if (weights == RayWeighting::interpolated) return {middle - 0.5F, 1.0F};
  const float length = heights.climb * fmaxf(fabsf(distance), 1e-6F);
  return {fmaf(-0.5F, length, middle), quick_reciprocal(length)};
}

/// Returns the path of a ray in mm per layer; `distance` is that of its row from the central row.
GANTRY_HD float path_mm(const SiddonJosephScan& scan, const SiddonJosephLine& line,
                        float distance) {
  const float rise = line.zoom_step * distance * scan.voxel_height_mm;
  return quick_sqrt(fmaf(line.length_mm, line.length_mm, rise * rise));
}

/// Computes sum[j] = ray sum of row first_row + j row_step of detector column `column`. `columns`
/// holds voxel lines along z, [iy][ix][iz], with voxel_line_padding zeros at both ends.
template <RayWeighting weights, bool Tall, int Rows>
GANTRY_HD void interval_rays(const SiddonJosephScan& scan, const float* columns, int v, int column,
                             int first_row, int row_step, float (&sum)[Rows]) {
  const SiddonJosephLine line = scan.line[static_cast<std::size_t>(v) * scan.columns + column];
  const float base = scan.view[v].base;
  const int width = line.along_y ? scan.nx : scan.ny, slices = line.along_y ? scan.ny : scan.nx;
  const std::size_t voxels = scan.nz + 2 * voxel_line_padding, row = voxels * scan.nx;
  const std::size_t pixel_stride = line.along_y ? voxels : row,
                    layer_stride = line.along_y ? row : voxels;
  float distance[Rows];
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
    distance[j] = static_cast<float>(first_row + j * row_step) - scan.central_row;
    sum[j] = 0;
  }
  const auto add = [&](const float* at, const RowHeights& heights, float share) {
#pragma unroll
    for (int j = 0; j < Rows; ++j)
      sum[j] = fmaf(
          share, mean_over<Tall>(height_interval<weights>(heights, base, distance[j]), at, scan.nz),
          sum[j]);
  };
  for (int k = 0; k < slices; ++k) {
    const Crossing at = crossing<weights>(line, k);
    if (at.first < -1 || at.first >= width) continue;
    // The pointer to a voxel line is formed only where the line lies inside the volume.
    const float* slice =
        columns + (static_cast<std::size_t>(k) * layer_stride + voxel_line_padding);
    if (at.first >= 0 && at.share > 0)
      add(slice + static_cast<std::size_t>(at.first) * pixel_stride,
          row_heights<weights>(line, k, false, at.share), at.share);
    if (at.first + 1 < width && at.share < 1)
      add(slice + static_cast<std::size_t>(at.first + 1) * pixel_stride,
          row_heights<weights>(line, k, true, 1.0F - at.share), 1.0F - at.share);
  }
#pragma unroll
  for (int j = 0; j < Rows; ++j) sum[j] *= path_mm(scan, line, distance[j]);
}

/// Returns the ray sum of a single slice seen by one row; `image` is [iy][ix], `turned` [ix][iy].
template <RayWeighting weights>
GANTRY_HD float interval_ray(const SiddonJosephScan& scan, const float* image, const float* turned,
                             int v, int column) {
  const SiddonJosephLine line = scan.line[static_cast<std::size_t>(v) * scan.columns + column];
  const int width = line.along_y ? scan.nx : scan.ny, slices = line.along_y ? scan.ny : scan.nx;
  const float* slice = line.along_y ? image : turned;
  float sum = 0;
  for (int k = 0; k < slices; ++k, slice += width) {
    const Crossing at = crossing<weights>(line, k);
    if (at.first < -1 || at.first >= width) continue;
    const float here = at.first >= 0 ? load(slice + at.first) : 0.0F,
                next = at.first + 1 < width ? load(slice + (at.first + 1)) : 0.0F;
    sum += fmaf(at.share, here - next, next);
  }
  return sum * line.length_mm;
}

/// The only columns whose rays can weigh a pixel while they cross layers of one kind (y = const or
/// x = const): the rays that meet the middle of the layer within a pixel of the pixel's centre.
struct ColumnsNearPixel {
  int first, last;
};
GANTRY_HD float seen_at(const SiddonJosephScan& scan, const SiddonJosephView& view, float x,
                        float y) {
  const float p = fmaf(x, view.across_x, fmaf(y, view.across_y, view.across_0)) /
                  fmaf(x, view.depth_x, fmaf(y, view.depth_y, view.depth_0));
  return fmaf(scan.gain, scan.arc ? atanf(p) : p, scan.bias);
}
GANTRY_HD ColumnsNearPixel columns_near(const SiddonJosephScan& scan, const SiddonJosephView& view,
                                        int x, int y, bool along_y) {
  const float dx = along_y ? 1.0F : 0.0F, dy = 1.0F - dx;
  const float fx = static_cast<float>(x), fy = static_cast<float>(y);
  const float a = seen_at(scan, view, fx - dx, fy - dy), b = seen_at(scan, view, fx + dx, fy + dy);
  constexpr float spare = 0.02F;
  const float top = static_cast<float>(scan.columns);
  return {static_cast<int>(ceilf(clamped(fminf(a, b) - spare, 0.0F, top))),
          static_cast<int>(floorf(clamped(fmaxf(a, b) + spare, -1.0F, top - 1.0F)))};
}

/// Calls use(column, line, layer, share, next) for the rays of a view that weigh pixel (x, y) by
/// the part `share` of their path per layer. `next` says that the pixel is the second under the
/// interval.
template <RayWeighting weights, class Use>
GANTRY_HD void for_rays_near(const SiddonJosephScan& scan, int v, int x, int y, const Use& use) {
  const SiddonJosephView& view = scan.view[v];
  const SiddonJosephLine* lines = scan.line + static_cast<std::size_t>(v) * scan.columns;
  for (int kind = 0; kind < 2; ++kind) {
    if ((view.kinds >> kind & 1) == 0) continue;
    const bool along_y = kind == 0;
    const int i = along_y ? x : y, k = along_y ? y : x;
    const ColumnsNearPixel range = columns_near(scan, view, x, y, along_y);
    for (int c = range.first; c <= range.last; ++c) {
      const SiddonJosephLine line = lines[c];
      if ((line.along_y != 0) != along_y) continue;
      const Crossing at = crossing<weights>(line, k);
      const bool next = at.first + 1 == i;
      if (!next && at.first != i) continue;
      const float share = next ? 1.0F - at.share : at.share;
      if (share > 0) use(c, line, k, share, next);
    }
  }
}

/// The rows of one column over one pixel of one layer, by the voxels that they weigh.
template <RayWeighting weights>
struct RowsOverPixel {
  RowHeights heights;
  float base, central_row;
  float per_voxel;  ///< rows per voxel
  float half;       ///< rows within this distance of the middle of a voxel can weigh the voxel
  float top;        ///< the number of rows

  GANTRY_HD RowsOverPixel(const SiddonJosephScan& scan, const RowHeights& over, float base_height)
      : heights(over),
        base(base_height),
        central_row(scan.central_row),
        per_voxel(1.0F / over.zoom),
        top(static_cast<float>(scan.rows)) {
    const float reach =
        weights == RayWeighting::crossing ? 0.5F * over.climb * scan.farthest_row : 0.5F;
    half = fabsf((0.5F + reach) * per_voxel);
  }

  /// Calls use(row, part of the row's heights that lies in voxel z).
  template <class Use>
  GANTRY_HD void for_rows(float z, const Use& use) const {
    const float middle = fmaf(z + 0.5F - base, per_voxel, central_row);
    constexpr float spare = 0.01F;
    const int first = static_cast<int>(ceilf(clamped(middle - half - spare, 0.0F, top))),
              last = static_cast<int>(floorf(clamped(middle + half + spare, -1.0F, top - 1.0F)));
    for (int q = first; q <= last; ++q)
      use(q,
          height_interval<weights>(heights, base, static_cast<float>(q) - central_row).weight(z));
  }
};

/// Computes sum[j] += transpose for voxel first_z + j z_step of voxel line (x, y). `data` holds the
/// rays of the selected views times their path, [nth view][column][row].
template <RayWeighting weights, int Voxels>
GANTRY_HD void interval_voxels(const SiddonJosephScan& scan, const float* data, int x, int y,
                               int first_z, int z_step, float (&sum)[Voxels]) {
  for (int nth = 0; nth < scan.views; ++nth) {
    const int v = scan.view_index(nth);
    const float base = scan.view[v].base;
    for_rays_near<weights>(
        scan, v, x, y, [&](int c, const SiddonJosephLine& line, int k, float share, bool next) {
          const float* rays = data + (static_cast<std::size_t>(nth) * scan.columns + c) * scan.rows;
          const RowsOverPixel<weights> rows(scan, row_heights<weights>(line, k, next, share), base);
#pragma unroll
          for (int j = 0; j < Voxels; ++j) {
            float part = 0;
            rows.for_rows(static_cast<float>(first_z + j * z_step), [&](int q, float in_voxel) {
              part = fmaf(in_voxel, load(rays + q), part);
            });
            sum[j] = fmaf(share, part, sum[j]);
          }
        });
  }
}

/// Returns the transpose for a pixel of a single slice seen by one row; `data` is [nth
/// view][column].
template <RayWeighting weights>
GANTRY_HD float interval_pixel(const SiddonJosephScan& scan, const float* data, int x, int y) {
  float sum = 0;
  for (int nth = 0; nth < scan.views; ++nth)
    for_rays_near<weights>(
        scan, scan.view_index(nth), x, y,
        [&](int c, const SiddonJosephLine&, int, float share, bool) {
          sum = fmaf(share, load(data + (static_cast<std::size_t>(nth) * scan.columns + c)), sum);
        });
  return sum;
}

/// The single weights of a scan by columns of A, for methods that change voxels one by one
/// (gpu/access). The scan must not be restricted to a subset of the views.
template <RayWeighting weights>
struct IntervalColumns {
  static constexpr int deep = 4;  ///< they have the interval of a layer in common
  SiddonJosephScan scan;
  int planar;  ///< a single slice seen by one row

  GANTRY_HD int views() const { return scan.views; }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
    const float base = scan.view[v].base;
    for_rays_near<weights>(
        scan, v, ix, iy,
        [&](int c, const SiddonJosephLine& line, int layer, float share, bool next) {
          const RayCell lowest = ray_cell(v, 0, c, scan.rows, scan.columns);
          if (planar) {
            use(0, lowest, share * line.length_mm);
            return;
          }
          const RowsOverPixel<weights> rows(scan, row_heights<weights>(line, layer, next, share),
                                            base);
#pragma unroll
          for (int k = 0; k < Most; ++k) {
            if (k >= count) continue;
            rows.for_rows(static_cast<float>(iz + k * step), [&](int q, float part) {
              if (part > 0)
                use(k, above(lowest, q, scan.columns),
                    share * part * path_mm(scan, line, static_cast<float>(q) - scan.central_row));
            });
          }
        });
  }
};

}  // namespace gantry::device
