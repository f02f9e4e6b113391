#pragma once

// Separable footprints (Long, Fessler and Balter, IEEE Trans. Med. Imaging 29 (2010) 1839), see
// core/projectors/separable_footprint/sf_view.hpp and separable_footprint_3d.cpp:
//   w(c, q; i) = chord_i x (mean of the trapezoid over cell c)
//                        x (part of row q's heights that lies in the voxel) / cos_cq.
// The trapezoid rises between the first two of the pixel's projected corners and falls between the
// last two. Both products take the weights from the same function.
#include "gpu/access/ray_cell.hpp"
#include "gpu/projectors/common/height_interval.hpp"

#include <cstdint>

namespace gantry::device {

/// Constants of one view. The centre of pixel (x, y) lies at across_0 + x across_x + y across_y
/// along the detector columns and at depth_0 + x depth_x + y depth_y ahead of the source (parallel
/// beam: 1), mm.
struct SfPose {
  double across_0, across_x, across_y, depth_0, depth_x, depth_y;
  float ray_x, ray_y;  ///< from the source to pixel (0, 0), mm; parallel: ray direction
  float source_z;      ///< in voxels above the lower face of the volume
  int along_y;         ///< the forward product steps through layers y = const
  // The source (parallel beam: the axis) and the unit vectors (of 1 mm) of the central ray and of
  // the detector columns, in pixels within a layer (u) and across the layers (w).
  float source_u, source_w, ahead_u, ahead_w, across_u, across_w;
};

struct SfScan {
  const SfPose* view;
  const float* inverse_cosine;  ///< [row][column]; null: 1
  int nx, ny, nz;
  int columns, rows;
  float gain, bias;  ///< tangent p projects to gain p + bias, in cells: cell c spans c .. c + 1
  float dx, dy, inverse_dx, inverse_dy;
  float central_row;
  float row_height;  ///< in voxels; cone beam: at a distance of 1 mm
  int parallel, arc, cone;
  int first_view, view_stride, views;

  GANTRY_HD int view_index(int nth) const { return first_view + nth * view_stride; }
};

/// The footprint of a pixel in one view: a trapezoid with corners in cells, and the chord.
struct SfFootprint {
  float start, top_start, top_end, end;
  float chord_mm;

  /// Returns the integral of the trapezoid up to a position.
  GANTRY_HD float up_to(float place) const {
    return ramp(place - start, top_start - start) - ramp(place - top_end, end - top_end);
  }
  GANTRY_HD bool touches(int c) const {
    return end > static_cast<float>(c) && start < static_cast<float>(c + 1);
  }
  /// Returns the mean over cell c times the chord; only rounding error where the trapezoid does not
  /// touch the cell.
  GANTRY_HD float weight_mm(int c) const {
    const float low = static_cast<float>(c);
    return chord_mm * fmaxf(up_to(low + 1.0F) - up_to(low), 0.0F);
  }
  /// Returns the integral up to x of a ramp that rises from 0 to 1 between 0 and `rise`. A vertical
  /// side is a ramp of length 0, whose integral needs no quotient.
  GANTRY_HD static float ramp(float x, float rise) {
    const float on_ramp = clamped(x, 0.0F, rise);
    return fmaf(0.5F * on_ramp * on_ramp, 1.0F / fmaxf(rise, 1e-9F), fmaxf(x - rise, 0.0F));
  }
};

struct SfPlace {
  float across, depth;
};
GANTRY_HD SfPlace sf_place(const SfPose& view, int x, int y) {
  const double ix = x, iy = y;
  return {static_cast<float>(fma(iy, view.across_y, fma(ix, view.across_x, view.across_0))),
          static_cast<float>(fma(iy, view.depth_y, fma(ix, view.depth_x, view.depth_0)))};
}

GANTRY_HD SfFootprint sf_footprint(const SfScan& scan, const SfPose& view, SfPlace at, int x,
                                   int y) {
  float corner[4];
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const float i = n % 2 == 0 ? -0.5F : 0.5F, k = n < 2 ? -0.5F : 0.5F;
    const float across = fmaf(i, static_cast<float>(view.across_x),
                              fmaf(k, static_cast<float>(view.across_y), at.across)),
                depth = fmaf(i, static_cast<float>(view.depth_x),
                             fmaf(k, static_cast<float>(view.depth_y), at.depth));
    const float p = across / depth;
    corner[n] = fmaf(scan.gain, scan.arc ? atanf(p) : p, scan.bias);
  }
  const float ab_low = fminf(corner[0], corner[1]), ab_high = fmaxf(corner[0], corner[1]),
              cd_low = fminf(corner[2], corner[3]), cd_high = fmaxf(corner[2], corner[3]);
  const float inner_a = fmaxf(ab_low, cd_low), inner_b = fminf(ab_high, cd_high);
  const float ray_x = scan.parallel ? view.ray_x : fmaf(static_cast<float>(x), scan.dx, view.ray_x),
              ray_y = scan.parallel ? view.ray_y : fmaf(static_cast<float>(y), scan.dy, view.ray_y);
  return {fminf(ab_low, cd_low), fminf(inner_a, inner_b), fmaxf(inner_a, inner_b),
          fmaxf(ab_high, cd_high),
          sqrtf(fmaf(ray_x, ray_x, rounded_product(ray_y, ray_y))) /
              fmaxf(fabsf(ray_x) * scan.inverse_dx, fabsf(ray_y) * scan.inverse_dy)};
}

/// Returns the height of a detector row at a position, in voxels.
GANTRY_HD float sf_pitch(const SfScan& scan, SfPlace at) {
  if (!scan.cone) return scan.row_height;
  const float distance =
      scan.arc ? sqrtf(fmaf(at.across, at.across, rounded_product(at.depth, at.depth))) : at.depth;
  return scan.row_height * distance;
}
GANTRY_HD HeightInterval sf_row(const SfScan& scan, const SfPose& view, float pitch, int row) {
  return {fmaf(static_cast<float>(row) - 0.5F - scan.central_row, pitch, view.source_z),
          1.0F / pitch};
}

/// The line of points that project to a cell's edge: position u + slope (w' - w) at w', in pixels.
struct SfEdge {
  float u, w, slope;
  bool flat;  ///< runs along the layers and bounds no pixels
};
GANTRY_HD SfEdge sf_edge(const SfScan& scan, const SfPose& view, float edge) {
  const float p = (edge - scan.bias) / scan.gain;
  if (scan.parallel)
    return {fmaf(p, view.across_u, view.source_u), fmaf(p, view.across_w, view.source_w),
            view.ahead_u / view.ahead_w, false};
  const float a = scan.arc ? cosf(p) : 1.0F, b = scan.arc ? sinf(p) : p;
  const float du = fmaf(b, view.across_u, a * view.ahead_u),
              dw = fmaf(b, view.across_w, a * view.ahead_w);
  const bool runs_on = dw * view.ahead_w > 1e-3F * fabsf(du * view.ahead_w);
  return {view.source_u, view.source_w, runs_on ? du / dw : 0.0F, !runs_on};
}

/// The only pixels of layer k whose footprints can touch the cell between two edges: first .. last.
struct SfRange {
  int first, last;
};
GANTRY_HD SfRange sf_pixels(const SfEdge& low, const SfEdge& high, int k, int width) {
  if (low.flat || high.flat) return {0, width - 1};
  float first = 1e30F, last = -1e30F;
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const SfEdge& edge = n < 2 ? low : high;
    const float w = static_cast<float>(k) + (n % 2 == 0 ? -0.5F : 0.5F);
    // The margin grows with the slope squared, as the rounding error of the slope does.
    const float u = fmaf(w - edge.w, edge.slope, edge.u),
                spare = fmaf(5e-7F * edge.slope * edge.slope, fabsf(w - edge.w), 0.02F);
    first = fminf(first, u - spare);
    last = fmaxf(last, u + spare);
  }
  const float top = static_cast<float>(width);
  return {static_cast<int>(floorf(clamped(first + 0.5F, 0.0F, top))),
          static_cast<int>(floorf(clamped(last + 0.5F, -1.0F, top - 1.0F)))};
}

/// Calls use(x, y, position, weight_mm) for the pixels that cell `column` of a view weighs, in
/// layers first, first + step, ...
template <class Use>
GANTRY_HD void sf_for_pixels(const SfScan& scan, const SfPose& view, int column, int first_layer,
                             int layer_step, const Use& use) {
  const SfEdge low = sf_edge(scan, view, static_cast<float>(column)),
               high = sf_edge(scan, view, static_cast<float>(column + 1));
  const int width = view.along_y ? scan.nx : scan.ny, slices = view.along_y ? scan.ny : scan.nx;
  for (int k = first_layer; k < slices; k += layer_step) {
    const SfRange range = sf_pixels(low, high, k, width);
    for (int i = range.first; i <= range.last; ++i) {
      const int x = view.along_y ? i : k, y = view.along_y ? k : i;
      const SfPlace at = sf_place(view, x, y);
      const SfFootprint footprint = sf_footprint(scan, view, at, x, y);
      if (!footprint.touches(column)) continue;
      if (const float weight = footprint.weight_mm(column); weight > 0) use(x, y, at, weight);
    }
  }
}

/// Returns the ray sum of a single slice seen by one row; `image` is [iy][ix], `turned` [ix][iy].
GANTRY_HD float sf_ray(const SfScan& scan, const float* image, const float* turned, int v,
                       int column) {
  const SfPose& view = scan.view[v];
  float sum = 0;
  sf_for_pixels(scan, view, column, 0, 1, [&](int x, int y, SfPlace, float weight) {
    const float* at = view.along_y ? image + (static_cast<std::size_t>(y) * scan.nx + x)
                                   : turned + (static_cast<std::size_t>(x) * scan.ny + y);
    sum = fmaf(weight, load(at), sum);
  });
  return sum;
}

/// Computes sum[j] = ray sum of row first_row + j row_step of detector column `column`, without the
/// factor 1 / cos. `columns` holds voxel lines along z, [iy][ix][iz], with voxel_line_padding zeros
/// at both ends. `Tall` allows rows higher than voxels.
template <bool Tall, int Rows>
GANTRY_HD void sf_rays(const SfScan& scan, const float* columns, int v, int column, int first_row,
                       int row_step, float (&sum)[Rows]) {
  const SfPose& view = scan.view[v];
  const std::size_t length = scan.nz + 2 * voxel_line_padding;
#pragma unroll
  for (int j = 0; j < Rows; ++j) sum[j] = 0;
  sf_for_pixels(scan, view, column, 0, 1, [&](int x, int y, SfPlace at, float weight) {
    const float* line =
        columns + ((static_cast<std::size_t>(y) * scan.nx + x) * length + voxel_line_padding);
    const float pitch = sf_pitch(scan, at);
#pragma unroll
    for (int j = 0; j < Rows; ++j)
      sum[j] =
          fmaf(weight,
               mean_over<Tall>(sf_row(scan, view, pitch, first_row + j * row_step), line, scan.nz),
               sum[j]);
  });
}

/// Calls use(column, weight_mm) for the cells that the footprint of pixel (x, y) touches.
template <class Use>
GANTRY_HD void sf_for_cells(const SfScan& scan, const SfPose& view, SfPlace at, int x, int y,
                            const Use& use) {
  const SfFootprint footprint = sf_footprint(scan, view, at, x, y);
  if (!(footprint.end > 0 && footprint.start < static_cast<float>(scan.columns))) return;
  const int first = static_cast<int>(fmaxf(footprint.start, 0.0F));
  for (int c = first; c < scan.columns && static_cast<float>(c) < footprint.end; ++c)
    if (const float weight = footprint.weight_mm(c); weight > 0) use(c, weight);
}

/// Returns the transpose for a pixel of a single slice seen by one row, summed over all selected
/// views. `rays` is [view][column].
GANTRY_HD float sf_pixel(const SfScan& scan, const float* rays, int x, int y) {
  float sum = 0;
  for (int nth = 0; nth < scan.views; ++nth) {
    const int v = scan.view_index(nth);
    const float* row = rays + static_cast<std::size_t>(v) * scan.columns;
    const SfPose& view = scan.view[v];
    sf_for_cells(scan, view, sf_place(view, x, y), x, y,
                 [&](int c, float weight) { sum = fmaf(weight, load(row + c), sum); });
  }
  return sum;
}

/// Computes sum[j] += transpose for voxel first_z + j z_step of voxel line (x, y). `data` holds the
/// rays of the selected views over their cosines, [nth view][column][row].
template <int Voxels>
GANTRY_HD void sf_voxels(const SfScan& scan, const float* data, int x, int y, int first_z,
                         int z_step, float (&sum)[Voxels]) {
  const float top = static_cast<float>(scan.rows);
  for (int nth = 0; nth < scan.views; ++nth) {
    const SfPose& view = scan.view[scan.view_index(nth)];
    const SfPlace at = sf_place(view, x, y);
    const float pitch = sf_pitch(scan, at), per_voxel = 1.0F / pitch;
    sf_for_cells(scan, view, at, x, y, [&](int c, float weight) {
      const float* rays = data + (static_cast<std::size_t>(nth) * scan.columns + c) * scan.rows;
#pragma unroll
      for (int j = 0; j < Voxels; ++j) {
        const float z = static_cast<float>(first_z + j * z_step);
        const float low = fmaf(z - view.source_z, per_voxel, scan.central_row + 0.5F);
        constexpr float spare = 0.01F;
        const int first = static_cast<int>(floorf(clamped(low - spare, 0.0F, top))),
                  last =
                      static_cast<int>(floorf(clamped(low + per_voxel + spare, -1.0F, top - 1.0F)));
        float part = 0;
        for (int q = first; q <= last; ++q)
          part = fmaf(sf_row(scan, view, pitch, q).weight(z), load(rays + q), part);
        sum[j] = fmaf(weight, part, sum[j]);
      }
    });
  }
}

/// The single weights of a scan, for methods that use rows and columns one by one (gpu/access). The
/// scan must not be restricted to a subset of the views.
struct SfWeights {
  static constexpr int deep = 4;  ///< they share the footprint, which costs the most
  SfScan scan;
  int planar;  ///< a single slice seen by one row

  GANTRY_HD int views() const { return scan.views; }
  GANTRY_HD RayCell cell(int v, int row, int column) const {
    return ray_cell(v, row, column, scan.rows, scan.columns);
  }
  GANTRY_HD float over_cosine(int row, int column) const {
    return scan.cone
               ? load(scan.inverse_cosine + static_cast<std::size_t>(row) * scan.columns + column)
               : 1.0F;
  }

  /// Calls use(k, RayCell, weight) for the rays of view v that weigh the voxels iz + k step, with
  /// k < count.
  template <int Most, class Use>
  GANTRY_HD void visit_columns(int ix, int iy, int iz, int step, int count, int v,
                               const Use& use) const {
    const SfPose& view = scan.view[v];
    const SfPlace at = sf_place(view, ix, iy);
    if (planar) {
      sf_for_cells(scan, view, at, ix, iy,
                   [&](int column, float weight) { use(0, cell(v, 0, column), weight); });
      return;
    }
    const float pitch = sf_pitch(scan, at), per_voxel = 1.0F / pitch,
                top = static_cast<float>(scan.rows);
    constexpr float spare = 0.01F;
    sf_for_cells(scan, view, at, ix, iy, [&](int column, float weight) {
#pragma unroll
      for (int k = 0; k < Most; ++k) {
        if (k >= count) continue;
        const float z = static_cast<float>(iz + k * step);
        const float low = fmaf(z - view.source_z, per_voxel, scan.central_row + 0.5F);
        const int first = static_cast<int>(floorf(clamped(low - spare, 0.0F, top))),
                  last =
                      static_cast<int>(floorf(clamped(low + per_voxel + spare, -1.0F, top - 1.0F)));
        for (int row = first; row <= last; ++row)
          if (const float part = sf_row(scan, view, pitch, row).weight(z); part > 0)
            use(k, cell(v, row, column), weight * part * over_cosine(row, column));
      }
    });
  }

  /// Calls use(voxel, weight) for the voxels that a ray weighs; `lanes` threads divide the layers.
  template <class Use>
  GANTRY_HD void visit_row(std::uint32_t number, int lane, int lanes, const Use& use) const {
    const int column = static_cast<int>(number % scan.columns);
    const auto rest = static_cast<int>(number / scan.columns);
    const int row = rest % scan.rows, v = rest / scan.rows;
    const SfPose& view = scan.view[v];
    const float over = planar ? 1.0F : over_cosine(row, column);
    const std::size_t pixels = static_cast<std::size_t>(scan.nx) * scan.ny;
    sf_for_pixels(scan, view, column, lane, lanes, [&](int x, int y, SfPlace at, float weight) {
      const std::size_t pixel = static_cast<std::size_t>(y) * scan.nx + x;
      if (planar) {
        use(pixel, weight);
        return;
      }
      const float pitch = sf_pitch(scan, at);
      const HeightInterval heights = sf_row(scan, view, pitch, row);
      const int first =
          static_cast<int>(floorf(clamped(heights.low, 0.0F, static_cast<float>(scan.nz))));
      for (int z = first; z < scan.nz && static_cast<float>(z) < heights.low + pitch; ++z)
        if (const float part = heights.weight(static_cast<float>(z)); part > 0)
          use(pixel + static_cast<std::size_t>(z) * pixels, weight * part * over);
    });
  }
};

}  // namespace gantry::device
