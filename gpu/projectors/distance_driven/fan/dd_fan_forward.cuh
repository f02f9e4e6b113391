#pragma once

// Kernels of the forward product,
//   p_c = cell_c sum_k 1/scale_k (F_k(U_c+1) - F_k(U_c)),
// with F_k the integral of layer k up to a position (its prefix sum, interpolated linearly) and U_c
// the lower edge of cell c on that layer.
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_values.cuh"

namespace gantry::device {

/// Whether the edge of a cell lies before all layers first .. last, or beyond all of them.
struct EdgeSide {
  bool before, beyond;
};
__device__ __forceinline__ EdgeSide side_of(float2 edge, float first, float last) {
  const float a = saturate(fmaf(edge.y, first, edge.x)), b = saturate(fmaf(edge.y, last, edge.x));
  return {a == 0 && b == 0, a == 1 && b == 1};
}

/// Adds F_k / scale_k of layers first .. last - 1 to `sum`; last - first is a multiple of 4.
template <class Value, int Quads>
__device__ __forceinline__ void add_slices(const Value* const (&image)[Quads],
                                           const LayerSums& plane, const float* weight, float2 edge,
                                           int first, int last, float middle, Value (&sum)[Quads]) {
  const float width = static_cast<float>(plane.width);
  for (int k = first; k < last; k += 4) {
    const float4 quad = *reinterpret_cast<const float4*>(weight + (k - first));
    const float of_slice[4] = {quad.x, quad.y, quad.z, quad.w};
    const float position = fmaf(edge.y, static_cast<float>(k) - middle, edge.x);
    const unsigned line =
        static_cast<unsigned>(k - plane.begin) * static_cast<unsigned>(plane.stride);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const CellFraction at = place(saturate(fmaf(edge.y, static_cast<float>(j), position)), width);
      const float upper = of_slice[j] * at.fraction, lower = of_slice[j] - upper;
      const unsigned offset = line + static_cast<unsigned>(j * plane.stride + at.index);
#pragma unroll
      for (int q = 0; q < Quads; ++q) {
        const Value* here = image[q] + offset;
        sum[q] = add(lower, __ldg(here), sum[q]);
        sum[q] = add(upper, __ldg(here + 1), sum[q]);
      }
    }
  }
}

/// The view of a warp: the edge of this lane, and the prefix sums of the layers of the view's kind.
template <class Value, int Quads>
struct ForwardView {
  const DdFanView& view;
  LayerSums plane;
  float2 edge;
  const Value* image[Quads];

  __device__ __forceinline__ ForwardView(const DdFanScan& scan, int v, int cell,
                                         const Value* __restrict__ prefix)
      : view(scan.view[v]),
        plane(scan.plane(view.along_y != 0)),
        edge(
            scan.edge[static_cast<std::size_t>(v) * (scan.columns + 1) + min(cell, scan.columns)]) {
#pragma unroll
    for (int q = 0; q < Quads; ++q)
      image[q] = opaque_address(prefix + plane.first +
                                (static_cast<std::size_t>(blockIdx.y) * Quads + q) * plane.size);
  }

  /// Adds sum_k 1/scale_k (F_k(U_c+1) - F_k(U_c)) over groups of 32 layers of the band, which begin
  /// at layer `start` and are `step` layers apart. `weight`: 32 floats of shared memory that this
  /// warp alone uses.
  __device__ __forceinline__ void add_chunks(int start, int step, int lane, float* weight,
                                             Value (&total)[Quads]) const {
    const float middle = 0.5F * static_cast<float>(plane.count - 1);
    for (int first = plane.begin + start; first < plane.end; first += step) {
      const int end = min(first + 32, plane.end);
      const EdgeSide side =
          side_of(edge, static_cast<float>(first) - middle, static_cast<float>(end - 1) - middle);
      if (__all_sync(~0U, side.before) || __all_sync(~0U, side.beyond)) continue;
      __syncwarp();
      weight[lane] = layer_weight(view, first + lane, plane.count);
      __syncwarp();
      for (int k = first; k < end; k += between_differences) {
        Value sum[Quads] = {};
        add_slices<Value, Quads>(image, plane, weight + (k - first), edge, k,
                                 min(k + between_differences, end), middle, sum);
#pragma unroll
        for (int q = 0; q < Quads; ++q)
          total[q] = plus(total[q], minus(from_lane_above(sum[q]), sum[q]));
      }
    }
  }
};

/// Writes the cells of a warp for the nth view.
template <class Value, int Quads, class Layout>
__device__ __forceinline__ void store_cells(const DdFanScan& scan, const Layout& layout, int nth,
                                            int cell, int lane, const Value (&total)[Quads],
                                            float* __restrict__ rays) {
  if (lane >= per_warp || cell >= scan.columns) return;
  const int v = layout.view(nth);
  const float factor = scan.cell[static_cast<std::size_t>(v) * scan.columns + cell];
  constexpr int values = Quads * width_of<Value>;
  float* at[values];
  float before[values];
#pragma unroll
  for (int j = 0; j < values; ++j) {
    const int value = static_cast<int>(blockIdx.y) * values + j;
    const RayLine line = layout.rays(nth, scan.view[v], value);
    at[j] = layout.has(value) ? rays + (line.first + static_cast<std::ptrdiff_t>(cell) * line.step)
                              : nullptr;
    before[j] = scan.add && at[j] != nullptr ? *at[j] : 0.0F;  // all loads before the stores
  }
#pragma unroll
  for (int j = 0; j < values; ++j) {
    Value of_cell = total[j / width_of<Value>];
    if (at[j] != nullptr) *at[j] = fmaf(factor, component(of_cell, j % width_of<Value>), before[j]);
  }
}

/// Forward product of Quads Values per lane. Grid: (view groups x cell groups, groups of Quads
/// Values); the view group is the faster index of blockIdx.x.
///
///   block    Warps neighbouring views, the same 31 cells
///   warp w   view group * Warps + w: all layers of the band, one after the other
///   lane l   edge l of the 31 cells, and cell l for l < 31, of Quads Values
template <class Value, int Quads, int Warps, class Layout>
__global__ void __launch_bounds__(32 * Warps, resident_warps<Quads> / Warps)
    dd_fan_forward(DdFanScan scan, Layout layout, const Value* __restrict__ prefix,
                   float* __restrict__ rays) {
  alignas(16) __shared__ float weight[Warps][32];
  const int lane = lane_index(), warp = warp_index();
  const int view_groups = (scan.views + Warps - 1) / Warps;
  const int nth = static_cast<int>(blockIdx.x) % view_groups * Warps + warp;
  const int cell = static_cast<int>(blockIdx.x) / view_groups * per_warp + lane;
  if (nth >= scan.views) return;
  const ForwardView<Value, Quads> view(scan, layout.view(nth), cell, prefix);
  Value total[Quads] = {};
  view.add_chunks(0, 32, lane, weight[warp], total);
  store_cells<Value, Quads>(scan, layout, nth, cell, lane, total, rays);
}

/// dd_fan_forward for products with too few views to occupy the device, or with one float per lane:
/// the layers of a view are divided among Shares warps of a block, whose sums are added up at the
/// end. Neighbouring views of a block read mostly the same lines of the L1 cache. Grid: (view
/// groups x cell groups, Values).
///
///   block    Views neighbouring views, the same 31 cells
///   warp w   view w % Views; groups of 32 layers w / Views, w / Views + Shares, ...
///   lane l   edge l of the 31 cells, and cell l for l < 31, of one Value
template <class Value, int Views, int Shares, class Layout>
__global__ void __launch_bounds__(32 * Views * Shares, resident_warps<1> / (Views * Shares))
    dd_fan_forward_shared(DdFanScan scan, Layout layout, const Value* __restrict__ prefix,
                          float* __restrict__ rays) {
  constexpr int warps = Views * Shares;
  alignas(16) __shared__ float weight[warps][32];
  __shared__ Value part[warps][32];
  const int lane = lane_index(), warp = warp_index(), share = warp / Views;
  const int view_groups = (scan.views + Views - 1) / Views;
  const int nth = static_cast<int>(blockIdx.x) % view_groups * Views + warp % Views;
  const int cell = static_cast<int>(blockIdx.x) / view_groups * per_warp + lane;
  Value total[1] = {};
  if (nth < scan.views) {
    const ForwardView<Value, 1> view(scan, layout.view(nth), cell, prefix);
    view.add_chunks(32 * share, 32 * Shares, lane, weight[warp], total);
  }
  part[warp][lane] = total[0];
  __syncthreads();
  if (share > 0 || nth >= scan.views) return;
  for (int s = 1; s < Shares; ++s) total[0] = plus(total[0], part[warp + s * Views][lane]);
  store_cells<Value, 1>(scan, layout, nth, cell, lane, total, rays);
}

}  // namespace gantry::device
