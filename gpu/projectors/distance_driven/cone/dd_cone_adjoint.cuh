#pragma once

// Transpose of dd_cone_forward,
//   x(i, k, z) = sum_v 1/(scale_k pitch) sum_c overlap_u(c, i; k) sum_q overlap_z(q, z) y'(c, q),
// y' = weight y. A warp owns a voxel line. For 32 views at a time, each lane finds the cells of one
// view that overlap the line; then all lanes process these views one after the other.
#include "gpu/device/device_math.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

namespace gantry::device {

/// Stores the sums of voxels: volume = A^T y; with `add`, volume += A^T y; with a column weight,
/// volume += relaxation C A^T y.
struct DdConeSums {
  float* volume;
  bool add = false;
  const float* column_weight = nullptr;
  float relaxation = 1;

  __device__ __forceinline__ void store(std::size_t voxel, float sum) const {
    float& value = volume[voxel];
    if (column_weight != nullptr)
      value += relaxation * column_weight[voxel] * sum;
    else
      value = add ? value + sum : sum;
  }
};

/// The cells of one view that overlap a voxel line.
template <int Cells>
struct LineCells {
  unsigned offset;       ///< of row 0 of the first cell in the weighted data
  int count;             ///< cells, at most Cells
  float rows_per_voxel;  ///< and
  float first;           ///< voxel z begins at row first + z rows_per_voxel + 0.5
  float weight[Cells];
};

template <int Cells, bool Arc>
__device__ __forceinline__ void find_cells(const DdConeScan& scan, int nth, int x, int y,
                                           float z_low, float z_high, LineCells<Cells>& found) {
  found.count = 0;
  if (nth >= scan.views || x >= scan.nx || y >= scan.ny) return;
  const int v = scan.first_view + nth * scan.view_stride;
  const DdConeView& view = scan.view[v];
  const int i = view.along_y ? x : y, k = view.along_y ? y : x;

  const float along =
      fmaf(i + 0.5F, view.depth_i, fmaf(static_cast<float>(k), view.depth_k, view.depth_0));
  float pitch = along;
  if (Arc) {
    const float across =
        fmaf(i + 0.5F, view.side_i, fmaf(static_cast<float>(k), view.side_k, view.side_0));
    pitch = quick_sqrt(fmaf(along, along, across * across));
  }
  const float rows_per_voxel = quick_reciprocal(pitch);
  const float row_low = fmaf(z_low - view.source_z, rows_per_voxel, scan.row_origin);
  const float row_high = fmaf(z_high - view.source_z, rows_per_voxel, scan.row_origin);
  if (row_high <= -1 || row_low >= scan.rows + 1) return;
  found.rows_per_voxel = rows_per_voxel;
  found.first = fmaf(-view.source_z, rows_per_voxel, scan.row_origin - 0.5F);

  const double scale = fma(static_cast<double>(k), view.scale_step, view.scale_first);
  const double from_pixel = fma(static_cast<double>(k), view.shift_step, view.shift_first) - i;
  const float inverse = quick_reciprocal(static_cast<float>(scale));
  const float slope = -static_cast<float>(from_pixel) * inverse;  // of the pixel's lower edge
  float at = __fdividef(fmaf(view.a, slope, view.b), fmaf(view.c, slope, view.d));
  if (scan.arc) at = atanf(at);
  at = fmaf(view.gain, at, view.bias);
  const float* edges = scan.edge + static_cast<std::size_t>(v) * (scan.columns + 1);
  int cell = static_cast<int>(clamped(at - 0.01F, 0.0F, static_cast<float>(scan.columns)));
  if (cell >= scan.columns) return;
  float low = static_cast<float>(fma(scale, static_cast<double>(__ldg(edges + cell)), from_pixel));
  int count = 0;
  for (; cell < scan.columns && low < 1; ++cell) {
    const float high =
        static_cast<float>(fma(scale, static_cast<double>(__ldg(edges + cell + 1)), from_pixel));
    const float overlap = fminf(high, 1.0F) - fmaxf(low, 0.0F);
    low = high;
    if (overlap <= 0) continue;
    if (count == 0)
      found.offset = static_cast<unsigned>(nth * scan.columns + cell) *
                         static_cast<unsigned>(scan.rows + 2 * line_padding) +
                     line_padding;
    if (count < Cells) found.weight[count++] = overlap * inverse;
  }
  found.count = count;
}

/// The rows of one view that overlap the voxels of a lane: voxels z[j] and, with Mirror, also
/// nz - 1 - z[j]. Taps: the most rows that a voxel can overlap.
template <int Voxels, int Taps, bool Mirror>
struct RowTaps {
  static constexpr int values = Mirror ? 2 * Voxels : Voxels;
  float overlap[Taps][Voxels], part[Taps][values];
  int index[Voxels];

  __device__ __forceinline__ RowTaps(const float (&z)[Voxels], float extent, float first,
                                     int rows) {
#pragma unroll
    for (int j = 0; j < Voxels; ++j) {
      const float pos = clamped(fmaf(z[j], extent, first), -4.0F, static_cast<float>(rows));
      const Nearest near = nearest(pos);
      const float past = pos - near.whole;
      index[j] = near.index;
      overlap[0][j] = fminf(extent, 0.5F - past);
      if constexpr (Taps == 2) {
        overlap[1][j] = extent - overlap[0][j];
      } else {
#pragma unroll
        for (int t = 1; t < Taps; ++t) overlap[t][j] = __saturatef(past + (extent + 0.5F - t));
      }
    }
  }

  /// Sets part to weight * data, or adds it, for the cell whose row 0 is data[cell].
  template <bool First>
  __device__ __forceinline__ void add_cell(const float* __restrict__ data, unsigned cell, int rows,
                                           float weight) {
#pragma unroll
    for (int j = 0; j < values; ++j) {
      const bool up = j < Voxels;
      const int row = up ? index[j % Voxels] : rows - 1 - index[j % Voxels];
      const float* from = data + (cell + static_cast<unsigned>(row));
#pragma unroll
      for (int t = 0; t < Taps; ++t) {
        const float value = __ldg(up ? from + t : from - t);
        part[t][j] = First ? weight * value : fmaf(weight, value, part[t][j]);
      }
    }
  }

  __device__ __forceinline__ void add_to(float (&sum)[values]) const {
#pragma unroll
    for (int j = 0; j < values; ++j)
#pragma unroll
      for (int t = 0; t < Taps; ++t) sum[j] = fmaf(overlap[t][j % Voxels], part[t][j], sum[j]);
  }
};

/// Adds one view to the voxels of a lane.
template <int Voxels, int Cells, int Taps, bool Mirror>
__device__ __forceinline__ void add_cells(const LineCells<Cells>& cells,
                                          const float* __restrict__ data, int rows,
                                          const float (&z)[Voxels],
                                          float (&sum)[Mirror ? 2 * Voxels : Voxels]) {
  RowTaps<Voxels, Taps, Mirror> taps(z, cells.rows_per_voxel, cells.first, rows);
  unsigned cell = cells.offset;
  const int count = cells.count;
  taps.template add_cell<true>(data, cell, rows, cells.weight[0]);
  for (int c = 1; c < count; ++c) {
    cell += rows + 2 * line_padding;
    taps.template add_cell<false>(data, cell, rows, cells.weight[c]);
  }
  taps.add_to(sum);
}

/// The same for voxels that overlap any number of rows.
template <int Voxels, int Cells, bool Mirror>
__device__ __forceinline__ void add_cells_tall(const LineCells<Cells>& cells,
                                               const float* __restrict__ data, int rows,
                                               const float (&z)[Voxels],
                                               float (&sum)[Mirror ? 2 * Voxels : Voxels]) {
  const int stride = rows + 2 * line_padding;
#pragma unroll
  for (int j = 0; j < Voxels; ++j) {
    const float low = fmaf(z[j], cells.rows_per_voxel, cells.first) + 0.5F;
    const float high = low + cells.rows_per_voxel;
    const int first = static_cast<int>(fmaxf(low, 0.0F));
    const int last = static_cast<int>(ceilf(fminf(high, static_cast<float>(rows))));
    for (int c = 0; c < cells.count; ++c) {
      const float* cell = data + (cells.offset + static_cast<unsigned>(c * stride));
      float part = 0, mirrored = 0;
      for (int q = first; q < last; ++q) {
        const float overlap = fminf(high, q + 1.0F) - fmaxf(low, static_cast<float>(q));
        part = fmaf(overlap, __ldg(cell + q), part);
        if (Mirror) mirrored = fmaf(overlap, __ldg(cell + (rows - 1 - q)), mirrored);
      }
      sum[j] = fmaf(cells.weight[c], part, sum[j]);
      if (Mirror) {
        float& to = sum[(Mirror ? Voxels : 0) + j];
        to = fmaf(cells.weight[c], mirrored, to);
      }
    }
  }
}

/// Cells: the most cells that overlap a pixel. Tall: a voxel may be more than three rows high.
/// `data`: weighted rays [view][cell][row, padded], from rays_to_row_lines. Grid: (x, y, z).
///
///   block    LinesX x LinesY voxel lines
///   warp w   line x = blockIdx.x LinesX + w % LinesX, y = blockIdx.y LinesY + w / LinesX,
///            32 * Voxels voxels from z = blockIdx.z * 32 * Voxels on
///   lane l   voxels z = first + l, first + l + 32, ... (Voxels of them);
///            with Mirror also nz - 1 - z of each;
///            find_cells for view first + l of each 32 views
template <int Voxels, int Cells, int LinesX, int LinesY, bool Mirror, bool Arc, bool Tall>
__global__ void __launch_bounds__(32 * LinesX * LinesY)
    dd_cone_adjoint(DdConeScan scan, const float* __restrict__ data, DdConeSums out) {
  constexpr int warps = LinesX * LinesY;
  __shared__ LineCells<Cells> cells[warps][32];
  __shared__ float tile[warps][33];
  const int warp = __shfl_sync(~0U, static_cast<int>(threadIdx.x >> 5), 0), lane = threadIdx.x & 31;
  const int x = blockIdx.x * LinesX + warp % LinesX, y = blockIdx.y * LinesY + warp / LinesX;
  const int first_z = blockIdx.z * 32 * Voxels;
  const int voxels_to_do = Mirror ? (scan.nz + 1) / 2 : scan.nz;
  constexpr int values = Mirror ? 2 * Voxels : Voxels;
  float sum[values], z[Voxels];
#pragma unroll
  for (int j = 0; j < Voxels; ++j) z[j] = static_cast<float>(first_z + lane + 32 * j);
#pragma unroll
  for (int j = 0; j < values; ++j) sum[j] = 0;

  const float low = static_cast<float>(first_z), high = low + 32 * Voxels;
  for (int first = 0; first < scan.views; first += 32) {
    __syncwarp();
    find_cells<Cells, Arc>(scan, first + lane, x, y, low, high, cells[warp][lane]);
    __syncwarp();
    for (int n = 0; n < 32; ++n) {
      const LineCells<Cells>& now = cells[warp][n];
      if (now.count == 0) continue;
      if (Tall)
        add_cells_tall<Voxels, Cells, Mirror>(now, data, scan.rows, z, sum);
      else if (now.rows_per_voxel <= 1)
        add_cells<Voxels, Cells, 2, Mirror>(now, data, scan.rows, z, sum);
      else if (now.rows_per_voxel <= 2)
        add_cells<Voxels, Cells, 3, Mirror>(now, data, scan.rows, z, sum);
      else
        add_cells<Voxels, Cells, 4, Mirror>(now, data, scan.rows, z, sum);
    }
  }

  // Lanes own consecutive z, but the volume is contiguous along x: the sums change owners in shared
  // memory, so that neighbouring threads write neighbouring x.
  const int out_line = threadIdx.x % warps, out_lane = threadIdx.x / warps;
  const int out_x = blockIdx.x * LinesX + out_line % LinesX;
  const int out_y = blockIdx.y * LinesY + out_line / LinesX;
#pragma unroll
  for (int j = 0; j < values; ++j) {
    __syncthreads();
    tile[warp][lane] = sum[j];
    __syncthreads();
    const int nth = first_z + out_lane + 32 * (j % Voxels);
    const int out_z = Mirror && j >= Voxels ? scan.nz - 1 - nth : nth;
    if (nth >= voxels_to_do || out_x >= scan.nx || out_y >= scan.ny) continue;
    if (Mirror && j >= Voxels && out_z == nth)
      continue;  // the middle voxel is its own mirror image
    out.store((static_cast<std::size_t>(out_z) * scan.ny + out_y) * scan.nx + out_x,
              tile[out_line][out_lane]);
  }
}

}  // namespace gantry::device
