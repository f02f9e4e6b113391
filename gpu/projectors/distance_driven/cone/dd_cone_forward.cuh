#pragma once

// Forward product of the 3D distance-driven model,
//   p(c, q) = weight(c, q) sum_k 1/scale_k sum_i overlap_u(c, i; k) B_q(i, k),
//   B_q(i, k) = 1/pitch(i, k) sum_z overlap_z(q, z; i, k) f(i, k, z),
// or R (b - A x) in the order in which the transpose reads it (StoreResidual). A warp visits the
// voxel lines under its cells and resamples each to detector rows once for all its cells.
#include "gpu/device/device_math.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/projectors/distance_driven/cone/compact_weight.cuh"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

#include <type_traits>

namespace gantry::device {

/// The rows of one lane: rows first + 32 j for j below Rows and, with Mirror, also the row as far
/// from the other end of the detector, whose overlaps are the same. `value`: the present voxel line
/// resampled to these rows, times the pitch; the next line may be loaded meanwhile.
/// Taps: the most voxels that a row can overlap; 0: any number, summed up at once in fetch().
template <int Rows, bool Mirror, int Taps>
struct RowLines {
  static constexpr int values = Mirror ? 2 * Rows : Rows;
  float from_origin[Rows];  ///< row - row_origin
  float value[values];

  __device__ __forceinline__ void set(int first, float row_origin) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) from_origin[j] = first + 32 * j - row_origin;
  }

  /// Loads the line at lines[line .. line + nz), around which line_padding zeros can be read.
  template <class Index>
  __device__ __forceinline__ void fetch(const float* __restrict__ lines, Index line, int nz,
                                        float source_z, float pitch) {
    if constexpr (Taps == 0)
      sum_up(lines + line, nz, source_z, pitch);
    else
      fetch_taps(lines, line, nz, source_z, pitch);
  }

  /// Makes the loaded line the present one.
  __device__ __forceinline__ void take() {
#pragma unroll
    for (int j = 0; j < values; ++j) {
      value[j] = overlap_[0][j % Rows] * voxel_[0][j];
#pragma unroll
      for (int t = 1; t < terms; ++t)
        value[j] = fmaf(overlap_[t][j % Rows], voxel_[t][j], value[j]);
    }
  }

 private:
  template <class Index>
  __device__ __forceinline__ void fetch_taps(const float* __restrict__ lines, Index line, int nz,
                                             float source_z, float pitch) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      // The row spans pos + 0.5 to pos + 0.5 + pitch; its first voxel is the nearest to pos.
      const float pos =
          clamped(fmaf(from_origin[j], pitch, source_z - 0.5F), -4.0F, static_cast<float>(nz));
      const Nearest first = nearest(pos);
      const float past = pos - first.whole;
      overlap_[0][j] = fminf(pitch, 0.5F - past);
#pragma unroll
      for (int t = 1; t < Taps; ++t) overlap_[t][j] = __saturatef(past + (pitch + 0.5F - t));
      const float* voxel = lines + static_cast<Index>(line + static_cast<Index>(first.index));
#pragma unroll
      for (int t = 0; t < Taps; ++t) voxel_[t][j] = __ldg(voxel + t);
      if constexpr (Mirror) {
        voxel = lines + static_cast<Index>(line + static_cast<Index>(nz - 1 - first.index));
#pragma unroll
        for (int t = 0; t < Taps; ++t) voxel_[t][Rows + j] = __ldg(voxel - t);
      }
    }
  }

  __device__ __forceinline__ void sum_up(const float* __restrict__ line, int nz, float source_z,
                                         float pitch) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const float low = fmaf(from_origin[j], pitch, source_z), high = low + pitch;
      const int first = static_cast<int>(fmaxf(low, 0.0F));
      const int last = static_cast<int>(ceilf(fminf(high, static_cast<float>(nz))));
      overlap_[0][j] = 1;
      voxel_[0][j] = 0;
      for (int z = first; z < last; ++z) {
        const float overlap = fminf(high, z + 1.0F) - fmaxf(low, static_cast<float>(z));
        voxel_[0][j] = fmaf(overlap, __ldg(line + z), voxel_[0][j]);
      }
    }
  }

  static constexpr int terms = Taps == 0 ? 1 : Taps;
  float overlap_[terms][Rows], voxel_[terms][values];
};

/// Stores A x. The arguments of store are the index of the ray in [view][row][column], its index in
/// the order of rays_to_row_lines, its weight `length`, `value` = A x there, and a sum of squares.
struct StoreRays {
  static constexpr bool adds_up = false;
  float* rays;
  std::size_t first = 0;  ///< the ray that lies at the start

  __device__ __forceinline__ void store(std::size_t ray, std::size_t, float, float value,
                                        double&) const {
    rays[ray - first] = value;
  }
};

/// Stores R (b - A x) times weight in the order of rays_to_row_lines, whose padding must be zero
/// already, and sums the squares of b - A x.
struct StoreResidual {
  static constexpr bool adds_up = true;
  const float* b;
  RowWeight row_weight;
  float* lines;    ///< of the views of the launch
  double* square;  ///< ||b - A x||^2 of each warp: view_squares numbers per view
  int view_squares;

  __device__ __forceinline__ void store(std::size_t ray, std::size_t place, float length,
                                        float value, double& sum) const {
    const float residual = b[ray] - value;
    lines[place] = row_weight.times(residual, ray) * length;
    sum += static_cast<double>(residual) * residual;
  }
};

/// Heights of detector rows at the voxel lines of a layer, in voxels.
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
    return quick_sqrt(fmaf(along, along, across * across));
  }
};

/// The cells of a warp: their edges and their sums.
template <int Cells, int Values>
struct CellSums {
  float from_first[Cells];  ///< upper edge of a cell, from the lower edge of the first
  float sum[Cells][Values];

  __device__ __forceinline__ void add(int c, float weight, const float (&value)[Values]) {
#pragma unroll
    for (int j = 0; j < Values; ++j) sum[c][j] = fmaf(weight, value[j], sum[c][j]);
  }
};

/// The projection of a warp's cells onto a layer.
struct CellsOnLayer {
  int first_pixel;  ///< the first one that they overlap
  float low;        ///< lower edge of the first cell, from the lower face of that pixel
  float step;       ///< scale: pixels per unit of edge
  int width;        ///< pixels of the layer
};

/// Adds the voxel lines of a layer under the cells. Both the pixels' and the cells' edges ascend:
/// each stretch between two neighbouring edges adds its length times the present line to one cell.
template <int Taps, bool Ahead, int Rows, bool Mirror, int Cells, bool Arc, class Index>
__device__ __forceinline__ void add_slice(CellSums<Cells, Mirror ? 2 * Rows : Rows>& cells,
                                          int first_row, float row_origin,
                                          const CellsOnLayer& place, const RowPitch<Arc>& pitch_at,
                                          const float* __restrict__ lines, Index line,
                                          Index pixel_stride, int nz, float source_z) {
  RowLines<Rows, Mirror, Taps> at;
  at.set(first_row, row_origin);
  const float end = static_cast<float>(place.width - place.first_pixel);
  const float inverse = quick_reciprocal(place.step);
  float center = place.first_pixel + 0.5F, pixel_end = 1;
  float pitch = pitch_at(center), weight = inverse * quick_reciprocal(pitch);
  at.fetch(lines, line, nz, source_z, pitch);
  at.take();
  float next_weight = weight;
  const auto fetch_next = [&] {
    if (!Ahead || pixel_end < end) line += pixel_stride;  // the last line is loaded again, unused
    center += 1;
    pitch = pitch_at(center);
    next_weight = inverse * quick_reciprocal(pitch);
    at.fetch(lines, line, nz, source_z, pitch);
  };
  if (Ahead) fetch_next();
  float done = fmaxf(place.low, 0.0F);
#pragma unroll
  for (int c = 0; c < Cells; ++c) {
    const float until = clamped(fmaf(place.step, cells.from_first[c], place.low), 0.0F, end);
    while (until > pixel_end) {
      cells.add(c, (pixel_end - done) * weight, at.value);
      done = pixel_end;
      pixel_end += 1;
      if (!Ahead) fetch_next();
      weight = next_weight;
      at.take();
      if (Ahead) fetch_next();
    }
    cells.add(c, (until - done) * weight, at.value);
    done = until;
  }
}

/// Tall: rows may be more than two voxels high. Index: an unsigned type that counts the elements of
/// `lines`. Ahead: the next line is loaded while the present one is added, which pays where few
/// warps fit on a multiprocessor. Grid: (columns, views, rows).
///
///   block    WarpColumns warps along the detector x Warps / WarpColumns views
///   warp w   Cells columns from (blockIdx.x WarpColumns + w % WarpColumns) Cells on,
///            nth view blockIdx.y (Warps / WarpColumns) + w / WarpColumns,
///            32 * Rows rows from blockIdx.z * 32 * Rows on; all layers, one after the other
///   lane l   rows first + l, first + l + 32, ... (Rows of them) of all Cells columns;
///            with Mirror also rows - 1 - row of each
template <int Cells, int Rows, int Warps, int WarpColumns, bool Mirror, bool Arc, bool Tall,
          class Index, bool Ahead, class Out>
__global__ void __launch_bounds__(32 * Warps)
    dd_cone_forward(DdConeScan scan, const float* __restrict__ lines, Out out) {
  const int warp = __shfl_sync(~0U, static_cast<int>(threadIdx.x >> 5), 0), lane = threadIdx.x & 31;
  const int first_cell = (blockIdx.x * WarpColumns + warp % WarpColumns) * Cells;
  const int nth_view = blockIdx.y * (Warps / WarpColumns) + warp / WarpColumns;
  if (first_cell >= scan.columns || nth_view >= scan.views) return;
  const int v = scan.first_view + nth_view * scan.view_stride;
  const DdConeView view = scan.view[v];

  const int width = view.along_y ? scan.nx : scan.ny, slices = view.along_y ? scan.ny : scan.nx;
  const Index line_stride = scan.nz + 2 * line_padding;
  const Index row_stride = line_stride * scan.nx;
  const Index pixel_stride = view.along_y ? line_stride : row_stride;
  const Index layer_stride = view.along_y ? row_stride : line_stride;

  constexpr int values = Mirror ? 2 * Rows : Rows;
  CellSums<Cells, values> cells;
  const float* edges = scan.edge + static_cast<std::size_t>(v) * (scan.columns + 1);
  const float first_edge = __ldg(edges + first_cell);
#pragma unroll
  for (int c = 0; c < Cells; ++c) {
    cells.from_first[c] = __ldg(edges + min(first_cell + c + 1, scan.columns)) - first_edge;
#pragma unroll
    for (int j = 0; j < values; ++j) cells.sum[c][j] = 0;
  }
  const int row_block = blockIdx.z * 32 * Rows;
  const float lowest_row = row_block - scan.row_origin, highest_row = lowest_row + 32 * Rows;
  const float top = static_cast<float>(scan.nz);

  for (int k = 0; k < slices; ++k) {
    // Positions are counted from the first pixel, so that float32 resolves the overlaps.
    const double scale = fma(static_cast<double>(k), view.scale_step, view.scale_first);
    const double edge = fma(scale, static_cast<double>(first_edge),
                            fma(static_cast<double>(k), view.shift_step, view.shift_first));
    const int first_pixel = min(max(static_cast<int>(edge), 0), width - 1);
    const CellsOnLayer place{first_pixel, static_cast<float>(edge - first_pixel),
                             static_cast<float>(scale), width};
    const float end = static_cast<float>(width - first_pixel);
    const float high = fmaf(place.step, cells.from_first[Cells - 1], place.low);
    if (high <= 0 || place.low >= end) continue;

    const RowPitch<Arc> pitch_at(view, k);
    const float pitch_here = pitch_at(static_cast<float>(first_pixel)),
                pitch_there = pitch_at(first_pixel + fminf(high, end) + 1);
    const float near = 0.9F * fminf(pitch_here, pitch_there);
    if (lowest_row > 0 && fmaf(lowest_row, near, view.source_z) >= top) continue;
    if (highest_row < 0 && fmaf(highest_row, near, view.source_z) <= 0) continue;

    const Index line = k * layer_stride + first_pixel * pixel_stride + line_padding;
    const auto add = [&]<int Taps>(std::integral_constant<int, Taps>) {
      add_slice<Taps, Ahead, Rows, Mirror>(cells, row_block + lane, scan.row_origin, place,
                                           pitch_at, lines, line, pixel_stride, scan.nz,
                                           view.source_z);
    };
    if (Tall)
      add(std::integral_constant<int, 0>{});
    else if (fmaxf(pitch_here, pitch_there) <= 1)
      add(std::integral_constant<int, 2>{});
    else
      add(std::integral_constant<int, 3>{});
  }

  const int rows_to_do = Mirror ? (scan.rows + 1) / 2 : scan.rows;
  const std::size_t first_ray = static_cast<std::size_t>(v) * scan.rows * scan.columns,
                    line_length = scan.rows + 2 * line_padding;
  double square = 0;
#pragma unroll
  for (int c = 0; c < Cells; ++c) {
    const int cell = first_cell + c;
    if (cell >= scan.columns) break;
    const std::size_t at_cell = static_cast<std::size_t>(v) * scan.columns + cell;
    const float weight = __ldg(scan.cell + at_cell), rise = __ldg(scan.rise + at_cell);
    const int column = view.reversed ? scan.columns - 1 - cell : cell;
    const std::size_t line_there =
        (static_cast<std::size_t>(nth_view) * scan.columns + cell) * line_length + line_padding;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      const int row = row_block + lane + 32 * j;
      if (row >= rows_to_do) continue;
      const float slope = rise * (row + 0.5F - scan.row_origin);
      const float length = weight * sqrtf(fmaf(slope, slope, 1.0F));
      out.store(first_ray + static_cast<std::size_t>(row) * scan.columns + column, line_there + row,
                length, length * cells.sum[c][j], square);
      const int mirrored = scan.rows - 1 - row;
      if (Mirror && (!Out::adds_up || mirrored != row))
        out.store(first_ray + static_cast<std::size_t>(mirrored) * scan.columns + column,
                  line_there + mirrored, length, length * cells.sum[c][values - Rows + j], square);
    }
  }
  if constexpr (Out::adds_up) {
#pragma unroll
    for (int half = 16; half > 0; half /= 2) square += __shfl_down_sync(~0U, square, half);
    const unsigned groups = gridDim.x * WarpColumns;
    if (lane == 0)
      out.square[static_cast<std::size_t>(nth_view) * out.view_squares + blockIdx.z * groups +
                 blockIdx.x * WarpColumns + warp % WarpColumns] = square;
  }
}

}  // namespace gantry::device
