#pragma once

// The branchless distance-driven projections of Liu, Fu, De Man et al. 2017 (their GPU-BL, GPU-DB,
// GPU-BZ) and the branching one with which they compare (GPU-BS). A footprint is a rectangle of a
// layer or of the detector; its sum comes from four values of a summed-area table, interpolated
// bilinearly (eqs. 17 to 25), or from a loop over the elements that it covers.
//
// Forward product: p(c, q) = weight(c, q) sum_k 1/(scale_k height(c, k)) * (sum of layer k over the
// rectangle), with the height of a row taken at the cell's central ray. Backprojection: the mean of
// the weighted view over the voxel's rectangle on the detector. The latter is not the transpose.
#include "gpu/device/device_math.hpp"
#include "gpu/projectors/distance_driven/branchless/tuning.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

namespace gantry::device {

/// Sides of a rectangle: u along the pixels of a layer or along detector columns, z along the voxel
/// lines or along detector rows.
struct SumRectangle {
  float u_low, u_high, z_low, z_high;
};

/// Height of the detector rows at a cell c on layer k, in voxels: constant_c + scale_k growing_c.
struct RowHeight {
  const float *constant, *growing;  ///< views x columns
};

/// Summed-area tables in layered textures, interpolated by the hardware, whose fractions have 8
/// bits. Element (u, z) of texture layer k is the sum over the elements below u and z.
struct TextureSums {
  cudaTextureObject_t along_y, along_x;

  __device__ __forceinline__ float at(bool y, int k, float u, float z) const {
    return tex2DLayered<float>(y ? along_y : along_x, u + 0.5F, z + 0.5F, k);
  }
  __device__ __forceinline__ float over(bool y, int k, const SumRectangle& r) const {
    return (at(y, k, r.u_high, r.z_high) - at(y, k, r.u_low, r.z_high)) -
           (at(y, k, r.u_high, r.z_low) - at(y, k, r.u_low, r.z_low));
  }
};

/// The same tables in double precision, interpolated in software.
struct DoubleSums {
  const double *along_y, *along_x;
  int width_y, width_x, height;  ///< elements of a table: edges across and along z

  __device__ __forceinline__ double at(bool y, int k, double u, double z) const {
    const int width = y ? width_y : width_x;
    u = fmin(fmax(u, 0.0), width - 1.0);
    z = fmin(fmax(z, 0.0), height - 1.0);
    const int i = min(static_cast<int>(u), width - 2), j = min(static_cast<int>(z), height - 2);
    const double* low =
        (y ? along_y : along_x) +
        (static_cast<std::size_t>(k) * height + j) * static_cast<std::size_t>(width) + i;
    const double *high = low + width, a = u - i, b = z - j;
    return (1 - b) * ((1 - a) * low[0] + a * low[1]) + b * ((1 - a) * high[0] + a * high[1]);
  }
  __device__ __forceinline__ float over(bool y, int k, const SumRectangle& r) const {
    return static_cast<float>((at(y, k, r.u_high, r.z_high) - at(y, k, r.u_low, r.z_high)) -
                              (at(y, k, r.u_high, r.z_low) - at(y, k, r.u_low, r.z_low)));
  }
};

/// No tables: sums over the elements of plain images [k][z][u] times their overlaps.
struct DirectSums {
  const float *image_y, *image_x;
  int width_y, width_x, height;

  __device__ __forceinline__ float over(bool y, int k, const SumRectangle& r) const {
    const int width = y ? width_y : width_x;
    const float* image = (y ? image_y : image_x) + static_cast<std::size_t>(k) * height * width;
    const float u_low = fmaxf(r.u_low, 0.0F), u_high = fminf(r.u_high, static_cast<float>(width)),
                z_low = fmaxf(r.z_low, 0.0F), z_high = fminf(r.z_high, static_cast<float>(height));
    float sum = 0;
    for (int j = static_cast<int>(z_low); j < z_high; ++j) {
      const float* row = image + static_cast<std::size_t>(j) * width;
      float part = 0;
      for (int i = static_cast<int>(u_low); i < u_high; ++i)
        part = fmaf(fminf(u_high, i + 1.0F) - fmaxf(u_low, static_cast<float>(i)), __ldg(row + i),
                    part);
      sum = fmaf(fminf(z_high, j + 1.0F) - fmaxf(z_low, static_cast<float>(j)), part, sum);
    }
    return sum;
  }
};

/// Forward product. `mean` was subtracted before the tables were made and is added back, times the
/// area of the rectangle inside the layer. Grid (columns / 32, rows / 8, views).
///
///   block (32, 8)   32 columns x 8 rows of one view
///   thread          one ray (column, row): all layers, one after the other
template <class Sums>
__global__ void __launch_bounds__(dd_branchless::ray_columns* dd_branchless::ray_rows)
    dd_branchless_forward(DdConeScan scan, RowHeight height, Sums sums, float mean,
                          float* __restrict__ rays) {
  const int cell = blockIdx.x * dd_branchless::ray_columns + threadIdx.x,
            row = blockIdx.y * dd_branchless::ray_rows + threadIdx.y;
  if (cell >= scan.columns || row >= scan.rows) return;
  const int v = scan.first_view + blockIdx.z * scan.view_stride;
  const DdConeView& view = scan.view[v];
  const bool y = view.along_y != 0;
  const int width = y ? scan.nx : scan.ny, slices = y ? scan.ny : scan.nx;
  const std::size_t at_cell = static_cast<std::size_t>(v) * scan.columns + cell;
  const float* edges = scan.edge + static_cast<std::size_t>(v) * (scan.columns + 1) + cell;
  const float low = __ldg(edges), high = __ldg(edges + 1);
  const float constant = height.constant[at_cell], growing = height.growing[at_cell];
  const float from_origin = row - scan.row_origin;
  const auto scale_first = static_cast<float>(view.scale_first),
             scale_step = static_cast<float>(view.scale_step),
             shift_first = static_cast<float>(view.shift_first),
             shift_step = static_cast<float>(view.shift_step);
  float total = 0;
  for (int k = 0; k < slices; ++k) {
    const float scale = fmaf(static_cast<float>(k), scale_step, scale_first),
                shift = fmaf(static_cast<float>(k), shift_step, shift_first),
                pitch = fmaf(scale, growing, constant);
    SumRectangle r{fmaf(scale, low, shift), fmaf(scale, high, shift),
                   fmaf(from_origin, pitch, view.source_z), 0};
    r.z_high = r.z_low + pitch;
    if (r.u_high <= 0 || r.u_low >= width || r.z_high <= 0 || r.z_low >= scan.nz) continue;
    float sum = sums.over(y, k, r);
    if (mean != 0)
      sum = fmaf(mean,
                 (fminf(r.u_high, static_cast<float>(width)) - fmaxf(r.u_low, 0.0F)) *
                     (fminf(r.z_high, static_cast<float>(scan.nz)) - fmaxf(r.z_low, 0.0F)),
                 sum);
    total = fmaf(sum, quick_reciprocal(scale * pitch), total);
  }
  const float slope = scan.rise[at_cell] * (row + 0.5F - scan.row_origin);
  const int column = view.reversed ? scan.columns - 1 - cell : cell;
  rays[(static_cast<std::size_t>(v) * scan.rows + row) * scan.columns + column] =
      total * scan.cell[at_cell] * sqrtf(fmaf(slope, slope, 1.0F));
}

/// The projection of a voxel line onto the detector of one view.
struct LineOnDetector {
  float u_low, u_high;          ///< cells
  float first, rows_per_voxel;  ///< voxel z begins at row coordinate first + z rows_per_voxel
};

__device__ __forceinline__ float cell_at(const DdConeView& view, bool arc, float edge) {
  const float at = __fdividef(fmaf(view.a, edge, view.b), fmaf(view.c, edge, view.d));
  return fmaf(view.gain, arc ? atanf(at) : at, view.bias);
}

__device__ __forceinline__ LineOnDetector line_on_detector(const DdConeScan& scan,
                                                           const DdConeView& view, int x, int y) {
  const int i = view.along_y ? x : y, k = view.along_y ? y : x;
  const float along =
      fmaf(i + 0.5F, view.depth_i, fmaf(static_cast<float>(k), view.depth_k, view.depth_0));
  const float across =
      fmaf(i + 0.5F, view.side_i, fmaf(static_cast<float>(k), view.side_k, view.side_0));
  const float pitch = scan.arc ? sqrtf(fmaf(along, along, across * across)) : along;
  const float inverse = 1.0F / fmaf(static_cast<float>(k), static_cast<float>(view.scale_step),
                                    static_cast<float>(view.scale_first));
  const float shift = fmaf(static_cast<float>(k), static_cast<float>(view.shift_step),
                           static_cast<float>(view.shift_first));
  LineOnDetector line{};
  line.u_low = cell_at(view, scan.arc != 0, (i - shift) * inverse);
  line.u_high = cell_at(view, scan.arc != 0, (i + 1 - shift) * inverse);
  line.rows_per_voxel = 1.0F / pitch;
  line.first = fmaf(-view.source_z, line.rows_per_voxel, scan.row_origin);
  return line;
}

/// Stores or adds the voxels of one thread.
template <int Voxels>
__device__ __forceinline__ void add_line(const DdConeScan& scan, int x, int y, int first_z,
                                         const float (&total)[Voxels], float* __restrict__ volume,
                                         bool add) {
#pragma unroll
  for (int j = 0; j < Voxels; ++j) {
    if (first_z + j >= scan.nz) break;
    float& voxel = volume[(static_cast<std::size_t>(first_z + j) * scan.ny + y) * scan.nx + x];
    voxel = add ? voxel + total[j] : total[j];
  }
}

/// Backprojection of GPU-BL, GPU-DB and GPU-BS: four values of the table for each voxel. Image n of
/// `sums` is the nth view of `scan`. Grid (nx / 32, ny / 8, nz / Voxels).
///
///   block (32, 8)   32 x by 8 y voxel lines
///   thread          Voxels neighbouring voxels of one line: all views, one after the other
template <int Voxels, class Sums>
__global__ void __launch_bounds__(shapes::pixel_threads)
    dd_branchless_adjoint(DdConeScan scan, Sums sums, float* __restrict__ volume, bool add) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  const int first_z = blockIdx.z * Voxels;
  if (x >= scan.nx || y >= scan.ny) return;
  float total[Voxels] = {};
  for (int n = 0; n < scan.views; ++n) {
    const DdConeView& view = scan.view[scan.first_view + n * scan.view_stride];
    const LineOnDetector line = line_on_detector(scan, view, x, y);
    const float weight = __fdividef(1.0F, (line.u_high - line.u_low) * line.rows_per_voxel);
#pragma unroll
    for (int j = 0; j < Voxels; ++j) {
      SumRectangle r{line.u_low, line.u_high,
                     fmaf(static_cast<float>(first_z + j), line.rows_per_voxel, line.first), 0};
      r.z_high = r.z_low + line.rows_per_voxel;
      total[j] = fmaf(sums.over(true, n, r), weight, total[j]);
    }
  }
  add_line(scan, x, y, first_z, total, volume, add);
}

/// Backprojection of GPU-BZ (eqs. 26 to 28): neighbours of a line have an edge in common, so that n
/// voxels take 2 (n + 1) values instead of 4 n. Grid and owners: as dd_branchless_adjoint.
template <int Voxels, class Sums>
__global__ void __launch_bounds__(shapes::pixel_threads)
    dd_z_line_adjoint(DdConeScan scan, Sums sums, float* __restrict__ volume, bool add) {
  const int x = blockIdx.x * shapes::pixel_columns + threadIdx.x,
            y = blockIdx.y * shapes::pixel_lines + threadIdx.y;
  const int first_z = blockIdx.z * Voxels;
  if (x >= scan.nx || y >= scan.ny) return;
  float total[Voxels] = {};
  for (int n = 0; n < scan.views; ++n) {
    const DdConeView& view = scan.view[scan.first_view + n * scan.view_stride];
    const LineOnDetector line = line_on_detector(scan, view, x, y);
    const float weight = __fdividef(1.0F, (line.u_high - line.u_low) * line.rows_per_voxel);
    float edge = 0;
#pragma unroll
    for (int j = 0; j <= Voxels; ++j) {
      const float row = fmaf(static_cast<float>(first_z + j), line.rows_per_voxel, line.first);
      const float next = sums.at(true, n, line.u_high, row) - sums.at(true, n, line.u_low, row);
      if (j > 0) total[j - 1] = fmaf(weight, next - edge, total[j - 1]);
      edge = next;
    }
  }
  add_line(scan, x, y, first_z, total, volume, add);
}

}  // namespace gantry::device
