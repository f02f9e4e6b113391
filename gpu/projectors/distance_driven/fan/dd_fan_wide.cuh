#pragma once

// The 2D distance-driven forward product of 32 slices of a stack at once. The prefix sums of 32
// slices at one edge are contiguous: 128 bytes, one line of the L1 cache. Eight lanes read an edge,
// four slices each, so that a load instruction of a warp touches four cache lines, all of whose
// bytes it uses. (With one lane per edge and float4 of slices, dd_fan_forward needs 1.5 times as
// many accesses to the cache: edges that lie 1.25 pixels apart are not in one line.) Positions and
// weights, which depend on the edge alone, are computed once for the 32 slices.
#include "gpu/projectors/distance_driven/fan/dd_fan_forward.cuh"

namespace gantry::device {

using dd_fan::lane_edges, dd_fan::wide_edges, dd_fan::wide_quads;
using dd_fan::wide_sum_lines, dd_fan::wide_sum_pixels, dd_fan::wide_sum_slices,
    dd_fan::wide_sum_warps;

// ---- Prefix sums: [layer][pixel edge][slice]

/// Four layers of eight slices of an image.
struct WideLines {
  const float* image;
  ImageMap at;                ///< of the first layer of the first slice
  std::ptrdiff_t slice_step;  ///< from slice to slice
  int width, lines, slices;   ///< pixels of a layer, layers and slices that exist

  /// Loads pixels first, first + 1, ... of this lane's layer (lane / 8) of its slice (lane % 8).
  __device__ __forceinline__ void load(int first, int lane, float (*tile)[17],
                                       float (&value)[wide_sum_pixels]) const {
    // Layers x = const are contiguous across layers: each lane loads its own pixels. Pixels of
    // layers y = const are contiguous: the lanes load them side by side and exchange them through
    // shared memory.
    if (at.per_i != 1) {
#pragma unroll
      for (int u = 0; u < wide_sum_pixels; ++u) value[u] = pixel(lane, first + u);
      return;
    }
#pragma unroll
    for (int half = 0; half < wide_sum_pixels; half += 16) {
      __syncwarp();
#pragma unroll
      for (int row = 0; row < 32; row += 2)
        tile[row + lane / 16][lane % 16] = pixel(row + lane / 16, first + half + lane % 16);
      __syncwarp();
#pragma unroll
      for (int u = 0; u < 16; ++u) value[half + u] = tile[lane][u];
    }
  }

 private:
  __device__ __forceinline__ float pixel(int row, int i) const {
    const int line = row / wide_sum_slices, slice = row % wide_sum_slices;
    if (line >= lines || slice >= slices || i >= width) return 0;
    return __ldg(image + (at.first + slice * slice_step + line * at.per_k + i * at.per_i));
  }
};

/// Makes the prefix sums of 32 slices of a stack, as dd_fan_sum_image. Grid: (groups of 4 layers,
/// groups of 8 slices, kinds of layers).
///
///   block    4 layers of 8 slices, in chunks of 512 pixels
///   warp w   pixels 32 w to 32 w + 31 of a chunk
///   lane l   layer l / 8 of slice l % 8
///
/// The chunks are first added up, then processed from the last to the first, starting from half of
/// the total. The last chunk is still in registers then, so that a layer of up to 512 pixels is
/// loaded once.
__global__ void __launch_bounds__(32 * wide_sum_warps, 2)
    dd_fan_sum_image_wide(const __grid_constant__ DdFanScan scan,
                          const __grid_constant__ StackLayout layout, bool begin_along_y,
                          const float* __restrict__ image, float* __restrict__ prefix) {
  __shared__ float tile[wide_sum_warps][32][17];
  __shared__ float part[wide_sum_warps][32];
  const bool along_y = begin_along_y && blockIdx.z == 0;
  const LayerSums plane = scan.plane(along_y);
  const int lane = lane_index(), warp = warp_index();
  const int k = plane.begin + static_cast<int>(blockIdx.x) * wide_sum_lines;
  const int slice = static_cast<int>(blockIdx.y) * wide_sum_slices;
  if (k >= plane.end) return;
  ImageMap at = layout.pixels(slice, along_y);
  const std::ptrdiff_t slice_step = layout.pixels(slice + 1, along_y).first - at.first;
  at.first += k * at.per_k;
  const WideLines lines{image,           at,
                        slice_step,      plane.width,
                        plane.count - k, layout.slices - layout.first_value - slice};
  const auto sum_of_block = [&](float of_warp, int first_warp) {
    __syncthreads();
    part[warp][lane] = of_warp;
    __syncthreads();
    float sum = 0;
    for (int w = first_warp; w < wide_sum_warps; ++w) sum += part[w][lane];
    return sum;
  };

  constexpr int at_once = wide_sum_warps * wide_sum_pixels;
  const int chunks = (plane.width + at_once - 1) / at_once;
  float value[wide_sum_pixels], total = 0;
  const auto first_of = [&](int chunk) { return chunk * at_once + warp * wide_sum_pixels; };
  for (int chunk = 0; chunk < chunks; ++chunk) {
    lines.load(first_of(chunk), lane, tile[warp], value);
#pragma unroll
    for (int u = 0; u < wide_sum_pixels; ++u) total += value[u];
  }
  float beyond = 0.5F * sum_of_block(total, 0);
  float* line = prefix +
                (plane.first + static_cast<std::size_t>(k - plane.begin + lane / wide_sum_slices) *
                                   plane.stride) *
                    wide_slices +
                (slice + lane % wide_sum_slices);
  for (int chunk = chunks - 1; chunk >= 0; --chunk) {
    const int first = first_of(chunk);
    if (chunk + 1 < chunks) lines.load(first, lane, tile[warp], value);
    float here = 0;
#pragma unroll
    for (int u = 0; u < wide_sum_pixels; ++u) here += value[u];
    float sum = beyond - sum_of_block(here, warp);
    for (int w = 0; w < wide_sum_warps; ++w) beyond -= part[w][lane];
    if (first == 0) line[0] = sum;
#pragma unroll
    for (int u = 0; u < wide_sum_pixels; ++u) {
      sum += value[u];
      if (first + u < plane.width) line[(first + u + 1) * wide_slices] = sum;
    }
    if (first < plane.width && first + wide_sum_pixels >= plane.width)
      line[(plane.width + 1) * wide_slices] = sum;
  }
}

// ---- Product

/// The sums of a warp's cells over the layers so far, for its 32 slices; in shared memory that this
/// warp alone uses.
struct WideTotals {
  float4 at[lane_edges][33];

  __device__ __forceinline__ void clear(int lane) {
#pragma unroll
    for (int e = 0; e < lane_edges; ++e) at[e][lane] = zero<float4>();
  }
  /// Adds the differences of neighbouring edges; that of the warp's last edge has no meaning.
  __device__ __forceinline__ void add_differences(const float4 (&sum)[lane_edges], int lane) {
    const float4 beyond =
        exchange(sum[0], [](float part) { return __shfl_down_sync(~0U, part, wide_quads); });
#pragma unroll
    for (int e = 0; e < lane_edges; ++e)
      at[e][lane] = plus(at[e][lane], minus(e + 1 < lane_edges ? sum[e + 1] : beyond, sum[e]));
  }
  __device__ __forceinline__ float value(int edge, int slice) {
    return component(at[edge % lane_edges][edge / lane_edges * wide_quads + slice / 4], slice % 4);
  }
};

/// Adds F_k / scale_k of layers begin .. end - 1 to `sum`; `line`: the prefix sums of layer `begin`
/// of this lane's four slices. All loads of a layer are issued before the first one is used.
__device__ __forceinline__ void add_wide_layers(const float4* line, const LayerSums& plane,
                                                const float* weight,
                                                const float2 (&edge)[lane_edges], int begin,
                                                int end, float middle, float4 (&sum)[lane_edges]) {
  const float width = static_cast<float>(plane.width);
#pragma unroll 1
  for (int k = begin; k < end; ++k) {
    const float of_slice = weight[k - begin], from_middle = static_cast<float>(k) - middle;
    float upper[lane_edges];
    float4 value[lane_edges], next[lane_edges];
#pragma unroll
    for (int e = 0; e < lane_edges; ++e) {
      const CellFraction at = place(saturate(fmaf(edge[e].y, from_middle, edge[e].x)), width);
      const float4* here =
          line + static_cast<std::size_t>(static_cast<unsigned>(at.index)) * wide_quads;
      value[e] = __ldg(here);
      next[e] = __ldg(here + wide_quads);
      upper[e] = of_slice * at.fraction;
    }
#pragma unroll
    for (int e = 0; e < lane_edges; ++e) {
      sum[e] = add(of_slice - upper[e], value[e], sum[e]);
      sum[e] = add(upper[e], next[e], sum[e]);
    }
    line += static_cast<std::size_t>(plane.stride) * wide_quads;
  }
}

/// p_c = cell_c sum_k 1/scale_k (F_k(U_c+1) - F_k(U_c)) for 32 slices. Grid: view groups x cell
/// groups; the view group is the faster index.
///
///   block    Warps neighbouring views, the same 31 cells
///   warp w   view group * Warps + w: all layers of the band, one after the other
///   lane l   slices 4 (l % 8) to 4 (l % 8) + 3 at edges 8 (l / 8) to 8 (l / 8) + 7;
///            for the store, cell l (l < 31) of all 32 slices
template <int Warps>
__global__ void __launch_bounds__(32 * Warps, dd_fan::wide_resident_warps / Warps)
    dd_fan_forward_wide(const __grid_constant__ DdFanScan scan,
                        const __grid_constant__ StackLayout layout,
                        const float4* __restrict__ prefix, float* __restrict__ rays) {
  __shared__ float weights[Warps][32];
  __shared__ WideTotals totals[Warps];
  constexpr int edges = wide_edges, cells = edges - 1;
  const int lane = lane_index(), warp = warp_index();
  const int view_groups = (scan.views + Warps - 1) / Warps;
  const int nth = static_cast<int>(blockIdx.x) % view_groups * Warps + warp;
  const int first_cell = static_cast<int>(blockIdx.x) / view_groups * cells;
  if (nth >= scan.views) return;
  const int v = layout.view(nth);
  const DdFanView& view = scan.view[v];
  const LayerSums plane = scan.plane(view.along_y != 0);
  const float middle = 0.5F * static_cast<float>(plane.count - 1);
  float2 edge[lane_edges];
#pragma unroll
  for (int e = 0; e < lane_edges; ++e)
    edge[e] = scan.edge[static_cast<std::size_t>(v) * (scan.columns + 1) +
                        min(first_cell + lane / wide_quads * lane_edges + e, scan.columns)];
  const float4* image = prefix + (plane.first * wide_quads + lane % wide_quads);
  float* weight = weights[warp];
  WideTotals& total = totals[warp];

  total.clear(lane);
  for (int first = plane.begin; first < plane.end; first += 32) {
    const int end = min(first + 32, plane.end);
    const float top = static_cast<float>(first) - middle,
                bottom = static_cast<float>(end - 1) - middle;
    if (__all_sync(~0U, side_of(edge[lane_edges - 1], top, bottom).before) ||
        __all_sync(~0U, side_of(edge[0], top, bottom).beyond))
      continue;
    __syncwarp();
    weight[lane] = layer_weight(view, first + lane, plane.count);
    __syncwarp();
    for (int begin = first; begin < end; begin += between_differences) {
      float4 sum[lane_edges] = {};
      const float4* line = opaque_address(image + static_cast<std::size_t>(begin - plane.begin) *
                                                      plane.stride * wide_quads);
      add_wide_layers(line, plane, weight + (begin - first), edge, begin,
                      min(begin + between_differences, end), middle, sum);
      total.add_differences(sum, lane);
    }
  }

  __syncwarp();
  const float* factor = scan.cell + static_cast<std::size_t>(v) * scan.columns;
  const int cell = first_cell + lane;
  if (lane == cells || cell >= scan.columns) return;
  const float of_cell = factor[cell];
  constexpr int at_once = 8;
#pragma unroll 1
  for (int first = 0; first < wide_slices; first += at_once) {
    float* at[at_once];
    float before[at_once];
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      const RayLine line = layout.rays(nth, view, first + u);
      at[u] = layout.has(first + u)
                  ? rays + (line.first + static_cast<std::ptrdiff_t>(cell) * line.step)
                  : nullptr;
      before[u] = scan.add && at[u] != nullptr ? *at[u] : 0.0F;  // all loads before the stores
    }
#pragma unroll
    for (int u = 0; u < at_once; ++u)
      if (at[u] != nullptr) *at[u] = fmaf(of_cell, total.value(lane, first + u), before[u]);
  }
}

}  // namespace gantry::device
