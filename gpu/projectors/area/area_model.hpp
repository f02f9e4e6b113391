#pragma once

// Area-integral model (Zhang et al., Opt. Eng. 53 (2014) 113101) in closed form, see
// core/projectors/area/area_view.hpp: the part of a pixel on one side of a line is a function of
// the distance of the line from the pixel's centre, and the weight of a strip is the difference of
// two such parts. The distance is computed in float64, because it is a small difference of large
// numbers.
#include "gpu/access/ray_cell.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/projectors/common/seen_columns.hpp"

#include <cstdint>

namespace gantry::device {

/// The line between two neighbouring cells of a view, n . p = offset_mm; the other members as in
/// AreaEdge.
struct AreaLine {
  double nx, ny, offset_mm;
  float half_sum, half_difference, per_long, per_corner;
};

/// A strip (the region that a cell sees) across the layers of the grid, see AreaStrip: its edges 0
/// and 1 cross the face between layers j - 1 and j at start + step j, in pixels.
struct AreaBand {
  float start[2], step[2];
  float per_width;
  int along_y, wide;
};

struct AreaPose {
  float source_x, source_y;  ///< source position, mm
  SeenFrom seen;
};

struct AreaScan {
  const AreaPose* view;
  const AreaLine* line;  ///< [view][columns + 1]
  const AreaBand* band;  ///< [view][column]
  int nx, ny, nz;
  int columns, rows;
  SeenBy detector;
  double first_x_mm, first_y_mm, dx_mm, dy_mm;  ///< centre of pixel (0, 0), pixel size
  int parallel, area;                           ///< area: a weight is a part of the pixel's area
  float pixel_area_mm2;
  float row_low, row_height;  ///< row q spans row_low + q row_height .. + row_height, voxels
  int planar;                 ///< one slice seen by one row: heights play no part
  int first_view, view_stride, views;

  GANTRY_HD int view_index(int nth) const { return first_view + nth * view_stride; }
};

/// Parts of a pixel on either side of a line. Each is computed directly where it is small, so that
/// differences keep their digits.
struct AreaSplit {
  float below, above;
};
GANTRY_HD AreaSplit area_split(const AreaLine& line, double x, double y) {
  const float distance = static_cast<float>(fma(line.nx, x, fma(line.ny, y, -line.offset_mm))),
              t = fabsf(distance);
  const float left = fmaxf(line.half_sum - t, 0.0F);
  const float beyond = t <= line.half_difference ? fmaf(-t, line.per_long, 0.5F)
                                                 : rounded_product(left, left) * line.per_corner;
  return distance > 0 ? AreaSplit{beyond, 1.0F - beyond} : AreaSplit{1.0F - beyond, beyond};
}

/// Smaller parts of a pixel or a row can be rounding errors.
constexpr float least_area_part = 1e-6F;

/// Returns the weight of pixel (ix, iy) in the strip of a column: a part of its area, or mm.
GANTRY_HD float area_weight(const AreaScan& scan, int v, int column, int ix, int iy) {
  const AreaLine* line = scan.line + (static_cast<std::size_t>(v) * (scan.columns + 1) + column);
  const double x = fma(static_cast<double>(ix), scan.dx_mm, scan.first_x_mm),
               y = fma(static_cast<double>(iy), scan.dy_mm, scan.first_y_mm);
  const AreaSplit low = area_split(line[0], x, y), high = area_split(line[1], x, y);
  const float share = high.below <= 0.5F ? high.below - low.below : low.above - high.above;
  if (!(share > least_area_part)) return 0;
  if (scan.area) return share;
  const AreaBand& band = scan.band[static_cast<std::size_t>(v) * scan.columns + column];
  const float length = share * scan.pixel_area_mm2 * band.per_width;
  if (scan.parallel) return length;
  const float to_x = static_cast<float>(x) - scan.view[v].source_x,
              to_y = static_cast<float>(y) - scan.view[v].source_y;
  return length / sqrtf(fmaf(to_x, to_x, rounded_product(to_y, to_y)));
}

/// Returns the part of a detector row's height that lies in slice z.
GANTRY_HD float height_part_in_slice(const AreaScan& scan, int row, int z) {
  if (scan.planar) return 1;
  const float low = fmaf(static_cast<float>(row), scan.row_height, scan.row_low),
              high = low + scan.row_height, plane = static_cast<float>(z);
  return fmaxf(fminf(high, plane + 1.0F) - fmaxf(low, plane), 0.0F) / scan.row_height;
}

struct AreaRange {
  int first, last;
};
/// Returns the pixels of a layer that a strip can meet, widened by 0.01 pixels.
GANTRY_HD AreaRange area_pixels(const AreaBand& band, int slice, int width) {
  if (band.wide) return {0, width - 1};
  const float k = static_cast<float>(slice);
  const float a = fmaf(k, band.step[0], band.start[0]), b = fmaf(k, band.step[1], band.start[1]),
              low = fminf(fminf(a, a + band.step[0]), fminf(b, b + band.step[1])),
              high = fmaxf(fmaxf(a, a + band.step[0]), fmaxf(b, b + band.step[1]));
  constexpr float spare = 0.01F;
  const float top = static_cast<float>(width);
  return {static_cast<int>(floorf(clamped(low - spare, 0.0F, top))),
          static_cast<int>(floorf(clamped(high + spare, -1.0F, top - 1.0F)))};
}
/// Returns the slices that a detector row can meet.
GANTRY_HD AreaRange area_slices(const AreaScan& scan, int row) {
  if (scan.planar) return {0, 0};
  const float low = fmaf(static_cast<float>(row), scan.row_height, scan.row_low),
              top = static_cast<float>(scan.nz);
  return {static_cast<int>(floorf(clamped(low, 0.0F, top))),
          static_cast<int>(floorf(clamped(low + scan.row_height, -1.0F, top - 1.0F)))};
}

/// Returns the detector rows that can meet a slice, widened by 0.01 rows.
GANTRY_HD AreaRange area_rows(const AreaScan& scan, int z) {
  const float at = scan.planar ? 0 : (static_cast<float>(z) - scan.row_low) / scan.row_height,
              per_plane = scan.planar ? 0 : 1 / scan.row_height,
              top = static_cast<float>(scan.rows);
  return {static_cast<int>(floorf(clamped(at - 0.01F, 0.0F, top))),
          static_cast<int>(floorf(clamped(at + per_plane + 0.01F, -1.0F, top - 1.0F)))};
}

/// Calls use(x, y, weight) for the pixels that the strip of a column weighs, in layers first_layer,
/// first_layer + step, ...
template <class Use>
GANTRY_HD void area_for_pixels(const AreaScan& scan, int v, int column, int first_layer, int step,
                               const Use& use) {
  const AreaBand band = scan.band[static_cast<std::size_t>(v) * scan.columns + column];
  const int width = band.along_y ? scan.nx : scan.ny, slices = band.along_y ? scan.ny : scan.nx;
  for (int k = first_layer; k < slices; k += step) {
    const AreaRange range = area_pixels(band, k, width);
    for (int i = range.first; i <= range.last; ++i) {
      const int x = band.along_y ? i : k, y = band.along_y ? k : i;
      if (const float weight = area_weight(scan, v, column, x, y); weight != 0) use(x, y, weight);
    }
  }
}

/// Returns y_i = sum_j w_ij x_j for the ray of a cell.
GANTRY_HD float area_ray(const AreaScan& scan, const float* volume, int v, int column, int row) {
  const AreaRange planes = area_slices(scan, row);
  const std::size_t plane_size = static_cast<std::size_t>(scan.nx) * scan.ny;
  float sum = 0;
  area_for_pixels(scan, v, column, 0, 1, [&](int x, int y, float weight) {
    const float* at = volume + (static_cast<std::size_t>(y) * scan.nx + x);
    for (int z = planes.first; z <= planes.last; ++z)
      sum = fmaf(weight * height_part_in_slice(scan, row, z),
                 load(at + static_cast<std::size_t>(z) * plane_size), sum);
  });
  return sum;
}

/// Returns x_j = sum_i w_ij y_i over the selected views. rays: [view][row][column].
GANTRY_HD float area_voxel(const AreaScan& scan, const float* rays, int x, int y, int z) {
  const AreaRange seen = area_rows(scan, z);
  float sum = 0;
  for (int nth = 0; nth < scan.views; ++nth) {
    const int v = scan.view_index(nth);
    const ColumnRange range = seen_columns(scan.view[v].seen, scan.detector, x, x, y, y);
    const float* view = rays + static_cast<std::size_t>(v) * scan.rows * scan.columns;
    for (int c = range.first; c <= range.last; ++c) {
      const float weight = area_weight(scan, v, c, x, y);
      if (weight == 0) continue;
      for (int q = seen.first; q <= seen.last; ++q)
        sum = fmaf(weight * height_part_in_slice(scan, q, z),
                   load(view + (static_cast<std::size_t>(q) * scan.columns + c)), sum);
    }
  }
  return sum;
}

/// The single weights of a scan, for methods that use rows and columns one by one (gpu/access). The
/// scan must not be restricted to a subset of the views.
struct StripWeights {
  static constexpr int deep = 4;  ///< they share the area, which costs the most
  AreaScan scan;

  GANTRY_HD int views() const { return scan.views; }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
    const ColumnRange columns = seen_columns(scan.view[v].seen, scan.detector, ix, ix, iy, iy);
    for (int c = columns.first; c <= columns.last; ++c) {
      const float weight = area_weight(scan, v, c, ix, iy);
      if (weight == 0) continue;
#pragma unroll
      for (int k = 0; k < Most; ++k) {
        if (k >= count) continue;
        const int z = iz + k * step;
        const AreaRange rows = area_rows(scan, z);
        for (int row = rows.first; row <= rows.last; ++row)
          if (const float part = height_part_in_slice(scan, row, z); part > least_area_part)
            use(k, ray_cell(v, row, c, scan.rows, scan.columns), weight * part);
      }
    }
  }

  /// Calls use(voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the layers.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int column = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const int row = rest % scan.rows;
    const AreaRange planes = area_slices(scan, row);
    const std::size_t plane_size = static_cast<std::size_t>(scan.nx) * scan.ny;
    area_for_pixels(scan, rest / scan.rows, column, lane, lanes, [&](int x, int y, float weight) {
      const std::size_t pixel = static_cast<std::size_t>(y) * scan.nx + x;
      for (int z = planes.first; z <= planes.last; ++z)
        if (const float part = height_part_in_slice(scan, row, z); part > least_area_part)
          use(pixel + static_cast<std::size_t>(z) * plane_size, weight * part);
    });
  }
};

}  // namespace gantry::device
