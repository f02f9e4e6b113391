#pragma once

// Forward product of the 3D distance-driven model,
//   p(c, q) = weight(c, q) sum_k 1/scale_k sum_i overlap_u(c, i; k) B_q(i, k),
//   B_q(i, k) = 1/pitch(i, k) sum_z overlap_z(q, z; i, k) f(i, k, z).
// A warp owns some neighbouring cells and 32 rows for each lane's register; it walks over the voxel
// columns under its cells and resamples each of them to rows once for all the cells that it touches.
#include "gpu/kernels/dd_cone.cuh"
#include "gpu/kernels/device_math.cuh"

namespace gantry::device {

/// The rows of one lane: row first + 32 j for j below Rows, and with Mirror also the row as far from
/// the other end of the detector, whose overlaps are the same.
template <int Rows, bool Mirror>
struct RowLines {
  float from_origin[Rows];  ///< row - row_origin
  float value[Mirror ? 2 * Rows : Rows];

  __device__ __forceinline__ void set(int first, float row_origin) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) from_origin[j] = first + 32 * j - row_origin;
  }

  /// Resamples a line of voxels of which a row is `pitch` high. Taps: how many voxels a row can
  /// touch; line[-line_padding .. nz + line_padding) can be read.
  template <int Taps>
  __device__ __forceinline__ void resample(const float* __restrict__ line, int nz, float source_z,
                                           float pitch) {
    const float weight = __fdividef(1.0F, pitch);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      // The row spans pos + 0.5 to pos + 0.5 + pitch; its first voxel is the nearest to pos.
      const float pos =
          clamp(fmaf(from_origin[j], pitch, source_z - 0.5F), -3.0F, static_cast<float>(nz));
      const Rounded first = round_to_nearest(pos);
      const float past = pos - first.whole;
      float overlap[Taps];
      overlap[0] = Taps == 2 ? fminf(pitch, 0.5F - past) : 0.5F - past;
#pragma unroll
      for (int t = 1; t < Taps; ++t) overlap[t] = __saturatef(past + (pitch + 0.5F - t));
      float sum = 0;
#pragma unroll
      for (int t = 0; t < Taps; ++t) sum = fmaf(overlap[t], __ldg(line + first.index + t), sum);
      value[j] = weight * sum;
      if (!Mirror) continue;
      sum = 0;
#pragma unroll
      for (int t = 0; t < Taps; ++t)
        sum = fmaf(overlap[t], __ldg(line + (nz - 1 - first.index - t)), sum);
      value[(Mirror ? Rows : 0) + j] = weight * sum;
    }
  }

  /// The same for rows of any height.
  __device__ __forceinline__ void resample_tall(const float* __restrict__ line, int nz, float source_z,
                                             float pitch) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const float low = fmaf(from_origin[j], pitch, source_z), high = low + pitch;
      const int first = static_cast<int>(fmaxf(low, 0.0F));
      const int last = static_cast<int>(ceilf(fminf(high, static_cast<float>(nz))));
      float sum = 0, mirrored = 0;
      for (int z = first; z < last; ++z) {
        const float overlap = fminf(high, z + 1.0F) - fmaxf(low, static_cast<float>(z));
        sum = fmaf(overlap, __ldg(line + z), sum);
        if (Mirror) mirrored = fmaf(overlap, __ldg(line + (nz - 1 - z)), mirrored);
      }
      value[j] = sum / pitch;
      if (Mirror) value[(Mirror ? Rows : 0) + j] = mirrored / pitch;
    }
  }
};

/// Heights of rows at the voxel columns of a slice.
template <bool Arc>
struct RowPitch {
  float depth, depth_step, side, side_step;

  __device__ __forceinline__ RowPitch(const DdConeView& view, int k)
      : depth(fmaf(static_cast<float>(k), view.depth_k, view.depth_0)),
        depth_step(view.depth_i),
        side(Arc ? fmaf(static_cast<float>(k), view.side_k, view.side_0) : 0.0F),
        side_step(Arc ? view.side_i : 0.0F) {}
  __device__ __forceinline__ float operator()(float i) const {
    const float along = fmaf(i, depth_step, depth);
    if (!Arc) return along;
    const float across = fmaf(i, side_step, side);
    return sqrtf(fmaf(along, along, across * across));
  }
};

/// Cells: detector columns of a warp. Rows: see RowLines. A block is WarpColumns warps along the
/// detector times Warps / WarpColumns views. Tall: rows may be more than two voxels high. Grid:
/// (columns, views, rows).
template <int Cells, int Rows, int Warps, int WarpColumns, bool Mirror, bool Arc, bool Tall>
__global__ void __launch_bounds__(32 * Warps)
    dd_cone_forward(DdConeScan scan, const float* __restrict__ lines, float* __restrict__ rays) {
  const int warp = __shfl_sync(~0U, static_cast<int>(threadIdx.x >> 5), 0), lane = threadIdx.x & 31;
  const int first_cell = (blockIdx.x * WarpColumns + warp % WarpColumns) * Cells;
  const int nth_view = blockIdx.y * (Warps / WarpColumns) + warp / WarpColumns;
  if (first_cell >= scan.columns || nth_view >= scan.views) return;
  const int v = scan.first_view + nth_view * scan.view_stride;
  const DdConeView& view = scan.view[v];

  const int width = view.along_y ? scan.nx : scan.ny, slices = view.along_y ? scan.ny : scan.nx;
  const std::size_t line_stride = scan.nz + 2 * line_padding;
  const std::size_t row_stride = line_stride * scan.nx;
  const std::size_t pixel_stride = view.along_y ? line_stride : row_stride;
  const std::size_t slice_stride = view.along_y ? row_stride : line_stride;

  const int row_block = blockIdx.z * 32 * Rows;
  RowLines<Rows, Mirror> at;
  at.set(row_block + lane, scan.row_origin);
  constexpr int values = Mirror ? 2 * Rows : Rows;
  float sum[Cells][values];
  float from_first[Cells];  // upper edge of a cell, from the lower edge of the first
  const float* edges = scan.edge + static_cast<std::size_t>(v) * (scan.columns + 1);
  const float first_edge = __ldg(edges + first_cell);
#pragma unroll
  for (int c = 0; c < Cells; ++c) {
    from_first[c] = __ldg(edges + min(first_cell + c + 1, scan.columns)) - first_edge;
#pragma unroll
    for (int j = 0; j < values; ++j) sum[c][j] = 0;
  }
  const float lowest_row = row_block - scan.row_origin, highest_row = lowest_row + 32 * Rows;
  const float source_z = view.source_z, top = static_cast<float>(scan.nz);
  const double shift_first = view.shift_first, shift_step = view.shift_step;
  const double scale_first = view.scale_first, scale_step = view.scale_step;

  for (int k = 0; k < slices; ++k) {
    // Places are taken from a pixel nearby, so that float32 is as fine as the overlaps need.
    const double scale = fma(static_cast<double>(k), scale_step, scale_first);
    const double place =
        fma(scale, static_cast<double>(first_edge), fma(static_cast<double>(k), shift_step, shift_first));
    const float step = static_cast<float>(scale);
    const int first_pixel = min(max(static_cast<int>(place), 0), width - 1);
    const float low = static_cast<float>(place - first_pixel);
    const float end = static_cast<float>(width - first_pixel);
    const float high = fmaf(step, from_first[Cells - 1], low);
    if (high <= 0 || low >= end) continue;

    const RowPitch<Arc> pitch_at(view, k);
    {
      const float near = 0.9F * fminf(pitch_at(static_cast<float>(first_pixel)),
                                      pitch_at(first_pixel + fminf(high, end)));
      if (fmaf(lowest_row, near, source_z) >= top && lowest_row > 0) continue;
      if (fmaf(highest_row, near, source_z) <= 0 && highest_row < 0) continue;
    }
    const float* line = lines + k * slice_stride + first_pixel * pixel_stride + line_padding;
    float pixel = static_cast<float>(first_pixel), pixel_end = 1;
    const auto resample = [&] {
      const float pitch = pitch_at(pixel + 0.5F);
      if (Tall)
        at.resample_tall(line, scan.nz, source_z, pitch);
      else if (pitch <= 1)
        at.template resample<2>(line, scan.nz, source_z, pitch);
      else
        at.template resample<3>(line, scan.nz, source_z, pitch);
    };
    const float inverse = __fdividef(1.0F, step);
    float done = fmaxf(low, 0.0F);
    resample();
#pragma unroll
    for (int c = 0; c < Cells; ++c) {
      const float until = clamp(fmaf(step, from_first[c], low), 0.0F, end);
      while (until > pixel_end) {
        const float overlap = (pixel_end - done) * inverse;
#pragma unroll
        for (int j = 0; j < values; ++j) sum[c][j] = fmaf(overlap, at.value[j], sum[c][j]);
        done = pixel_end;
        pixel_end += 1;
        pixel += 1;
        line += pixel_stride;
        resample();
      }
      const float overlap = (until - done) * inverse;
      done = until;
#pragma unroll
      for (int j = 0; j < values; ++j) sum[c][j] = fmaf(overlap, at.value[j], sum[c][j]);
    }
  }

  const int rows_to_do = Mirror ? (scan.rows + 1) / 2 : scan.rows;
  float* out = rays + static_cast<std::size_t>(v) * scan.rows * scan.columns;
#pragma unroll
  for (int c = 0; c < Cells; ++c) {
    const int cell = first_cell + c;
    if (cell >= scan.columns) break;
    const std::size_t at_cell = static_cast<std::size_t>(v) * scan.columns + cell;
    const float weight = __ldg(scan.cell + at_cell), rise = __ldg(scan.rise + at_cell);
    const int column = view.reversed ? scan.columns - 1 - cell : cell;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const int row = row_block + lane + 32 * j;
      if (row >= rows_to_do) continue;
      const float slope = rise * (at.from_origin[j] + 0.5F);
      const float length = weight * sqrtf(fmaf(slope, slope, 1.0F));
      out[static_cast<std::size_t>(row) * scan.columns + column] = length * sum[c][j];
      if (Mirror)
        out[static_cast<std::size_t>(scan.rows - 1 - row) * scan.columns + column] =
            length * sum[c][(Mirror ? Rows : 0) + j];
    }
  }
}

}  // namespace gantry::device
