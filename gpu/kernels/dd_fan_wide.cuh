#pragma once

// The 2D distance-driven pair for 32 slices at once. Their values of an edge lie side by side, 128
// bytes, which are one line of the first cache and one turn of it: eight lanes take an edge, four
// slices each, and a warp four edges at a time, so that no turn is spent on neighbours in other
// lines. (A lane for every edge, with quads of slices, takes half as many turns again: edges
// that lie 1.25 pixels apart are not in one line.) What belongs to an edge and not to its slices is
// worked out once for 32 of them.
#include "gpu/kernels/dd_fan_adjoint.cuh"
#include "gpu/kernels/dd_fan_forward.cuh"
#include "gpu/kernels/dd_fan_prefix.cuh"

namespace gantry::device {

constexpr int wide_slices = 32, wide_quads = wide_slices / 4;
/// Of a lane: with those of the other lanes of its quad they make the 32 edges of a warp.
constexpr int lane_edges = 8;
/// The registers allow 16 warps of a multiprocessor.
constexpr int wide_resident_warps = 16;

/// The edge `nth` of a lane is edge lane_edges * group + nth of the warp.
struct WideLane {
  int group, quad;
  __device__ __forceinline__ WideLane()
      : group(lane_index() / wide_quads), quad(lane_index() % wide_quads) {}
};

/// Four slices of an edge and of the next one.
__device__ __forceinline__ float4 add_edge(const float4* line, int index, float lower, float upper,
                                           float4 sum) {
  const float4* here = line + static_cast<std::size_t>(static_cast<unsigned>(index)) * wide_quads;
  sum = add(lower, __ldg(here), sum);
  return add(upper, __ldg(here + wide_quads), sum);
}

/// total += differences of neighbouring edges; that of the last edge of a warp has no meaning.
__device__ __forceinline__ void add_differences(const float4 (&sum)[lane_edges],
                                                float4 (&total)[lane_edges]) {
  const float4 beyond =
      exchange(sum[0], [](float part) { return __shfl_down_sync(~0U, part, wide_quads); });
#pragma unroll
  for (int e = 0; e < lane_edges; ++e)
    total[e] = plus(total[e], minus(e + 1 < lane_edges ? sum[e + 1] : beyond, sum[e]));
}

/// store(slice, value) for all slices, each lane with its own edge of the warp. `turned`: of this
/// warp alone.
template <class Store>
__device__ __forceinline__ void store_by_edges(float4 (&total)[lane_edges],
                                               float (&turned)[wide_quads][33],
                                               const Store& store) {
  const WideLane of_lane;
  const int lane = lane_index();
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    __syncwarp();
#pragma unroll
    for (int e = 0; e < lane_edges; ++e)
      turned[of_lane.quad][of_lane.group * lane_edges + e] = component(total[e], s);
    __syncwarp();
#pragma unroll
    for (int quad = 0; quad < wide_quads; ++quad) store(4 * quad + s, turned[quad][lane]);
  }
}

// ---- Prefix sums

constexpr int wide_sum_warps = 8;

/// line[0 .. count + 1][slice] = prefix sums of load(slice, 0 .. count - 1), from minus half of the
/// total on (see sum_line). `tile`: of this warp alone. Every value is loaded once.
template <class Load>
__device__ __forceinline__ void sum_wide_line(float* __restrict__ line, int count, int lane,
                                              float (&tile)[wide_slices][33], const Load& load) {
  float total = 0;
  for (int first = 0; first < count; first += 32) {
    __syncwarp();
#pragma unroll 8
    for (int slice = 0; slice < wide_slices; ++slice)
      tile[slice][lane] = first + lane < count ? load(slice, first + lane) : 0.0F;
    __syncwarp();
#pragma unroll 8
    for (int i = 0; i < 32; ++i) {
      const float value = tile[lane][i];
      total += value;
      if (first + i < count) line[(first + i + 1) * wide_slices + lane] = value;
    }
  }
  float sum = -0.5F * total;
  line[lane] = sum;
  constexpr int at_once = 16;  // loads under way
  for (int first = 1; first <= count; first += at_once) {
    float value[at_once];
#pragma unroll
    for (int u = 0; u < at_once; ++u)
      value[u] = first + u <= count ? line[(first + u) * wide_slices + lane] : 0.0F;
#pragma unroll
    for (int u = 0; u < at_once; ++u) {
      sum += value[u];
      if (first + u <= count) line[(first + u) * wide_slices + lane] = sum;
    }
  }
  line[(count + 1) * wide_slices + lane] = sum;
}

/// As dd_fan_sum_image. Grid: (groups of slices, 1, kinds of slices).
__global__ void __launch_bounds__(32 * wide_sum_warps)
    dd_fan_sum_image_wide(const __grid_constant__ DdFanScan scan, StackLayout layout,
                          bool begin_along_y, const float* __restrict__ image,
                          float* __restrict__ prefix) {
  __shared__ float tile[wide_sum_warps][wide_slices][33];
  const bool along_y = begin_along_y && blockIdx.z == 0;
  const SlicePlane plane = scan.plane(along_y);
  const int lane = lane_index(), warp = warp_index();
  const int k = static_cast<int>(blockIdx.x) * wide_sum_warps + warp;
  if (k >= plane.padded) return;
  float* line = prefix + (plane.first + static_cast<std::size_t>(k) * plane.stride) * wide_slices;
  if (k >= plane.count) {
    for (int i = 0; i < plane.width + 2; ++i) line[i * wide_slices + lane] = 0;
    return;
  }
  const PixelMap at = layout.pixels(0, along_y);
  const std::ptrdiff_t slice_step = layout.pixels(1, along_y).first - at.first;
  const float* from = image + (at.first + k * at.per_k);
  sum_wide_line(line, plane.width, lane, tile[warp], [&](int slice, int i) {
    return layout.has(slice) ? __ldg(from + (slice * slice_step + i * at.per_i)) : 0.0F;
  });
}

/// As dd_fan_sum_views. prefix[nth view][cell edge][slice]. Grid: (groups of views).
template <class Rays>
__global__ void __launch_bounds__(32 * wide_sum_warps)
    dd_fan_sum_views_wide(const __grid_constant__ DdFanScan scan, StackLayout layout, Rays rays,
                          float* __restrict__ prefix) {
  __shared__ float tile[wide_sum_warps][wide_slices][33];
  const int lane = lane_index(), warp = warp_index();
  const int nth = static_cast<int>(blockIdx.x) * wide_sum_warps + warp;
  if (nth >= scan.views) return;
  const int v = layout.view(nth);
  const DdFanView& view = scan.view[v];
  const float* length_mm = scan.length_mm + static_cast<std::size_t>(v) * scan.columns;
  const RayLine at = layout.rays(nth, view, 0);
  const std::ptrdiff_t slice_step = layout.rays(nth, view, 1).first - at.first;
  float* line = prefix + static_cast<std::size_t>(nth) * scan.row_stride * wide_slices;
  sum_wide_line(line, scan.columns, lane, tile[warp], [&](int slice, int cell) {
    if (!layout.has(slice)) return 0.0F;
    return length_mm[cell] *
           rays(at.first + slice * slice_step + static_cast<std::ptrdiff_t>(cell) * at.step);
  });
  const std::size_t quads_before = static_cast<std::size_t>(layout.values_before() / 4);
  rays.finish_lines(quads_before * scan.views + nth, scan.views, wide_quads, lane);
}

// ---- Products

/// p_c = cell_c sum_k 1/scale_k (F_k(U_c+1) - F_k(U_c)). Grid: (groups of views, and of cells above
/// them). A block's warps take as many views, of the same cells.
template <int Warps>
__global__ void __launch_bounds__(32 * Warps, wide_resident_warps / Warps)
    dd_fan_forward_wide(const __grid_constant__ DdFanScan scan,
                        const __grid_constant__ StackLayout layout,
                        const float4* __restrict__ prefix, float* __restrict__ rays) {
  __shared__ float weights[Warps][32];
  __shared__ float turned[Warps][wide_quads][33];
  const int lane = lane_index(), warp = warp_index();
  const WideLane of_lane;
  const int view_groups = (scan.views + Warps - 1) / Warps;
  const int nth = static_cast<int>(blockIdx.x) % view_groups * Warps + warp;
  const int first_cell = static_cast<int>(blockIdx.x) / view_groups * per_warp;
  if (nth >= scan.views) return;
  const int v = layout.view(nth);
  const DdFanView& view = scan.view[v];
  const SlicePlane plane = scan.plane(view.along_y != 0);
  const float middle = 0.5F * static_cast<float>(plane.count - 1),
              width = static_cast<float>(plane.width);
  float2 edge[lane_edges];
#pragma unroll
  for (int e = 0; e < lane_edges; ++e)
    edge[e] = scan.edge[static_cast<std::size_t>(v) * (scan.columns + 1) +
                        min(first_cell + of_lane.group * lane_edges + e, scan.columns)];
  const float4* image = prefix + (plane.first * wide_quads + of_lane.quad);
  float* weight = weights[warp];

  float4 total[lane_edges] = {};
  for (int first = 0; first < plane.padded; first += 32) {
    const int end = min(first + 32, plane.padded);
    const float top = static_cast<float>(first) - middle,
                bottom = static_cast<float>(end - 1) - middle;
    if (__all_sync(~0U, side_of(edge[lane_edges - 1], top, bottom).before) ||
        __all_sync(~0U, side_of(edge[0], top, bottom).beyond))
      continue;
    __syncwarp();
    weight[lane] = slice_weight(view, first + lane, plane.count);
    __syncwarp();
    for (int begin = first; begin < end; begin += between_differences) {
      const int stop = min(begin + between_differences, end);
      float4 sum[lane_edges] = {};
      const float4* line =
          settled(image + static_cast<std::size_t>(begin) * plane.stride * wide_quads);
#pragma unroll 1
      for (int k = begin; k < stop; ++k) {
        const float of_slice = weight[k - first], from_middle = static_cast<float>(k) - middle;
#pragma unroll
        for (int e = 0; e < lane_edges; ++e) {
          const Place at = place(saturate(fmaf(edge[e].y, from_middle, edge[e].x)), width);
          const float upper = of_slice * at.fraction;
          sum[e] = add_edge(line, at.index, of_slice - upper, upper, sum[e]);
        }
        line += static_cast<std::size_t>(plane.stride) * wide_quads;
      }
      add_differences(sum, total);
    }
  }

  const int cell = first_cell + lane;
  const bool stores = lane < per_warp && cell < scan.columns;
  const float factor = stores ? scan.cell[static_cast<std::size_t>(v) * scan.columns + cell] : 0.0F;
  store_by_edges(total, turned[warp], [&](int slice, float sum) {
    if (!stores || !layout.has(slice)) return;
    const RayLine at = layout.rays(nth, view, slice);
    rays[at.first + static_cast<std::ptrdiff_t>(cell) * at.step] = factor * sum;
  });
}

/// x_i = sum_v Z_v(t_i+1) - Z_v(t_i), see dd_fan_adjoint. Grid: (groups of slices, and of pixels
/// above them; 1; shares of the views).
template <FanKind kind, int Warps>
__global__ void __launch_bounds__(32 * Warps, wide_resident_warps / Warps)
    dd_fan_adjoint_wide(const __grid_constant__ DdFanScan scan,
                        const __grid_constant__ FanViews views, const float4* __restrict__ prefix,
                        Parts parts) {
  __shared__ float turned[Warps][wide_quads][33];
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z);
  const WideLane of_lane;
  const SlicePlane plane = scan.plane(parts.along_y != 0);
  const int slice_groups = (plane.count + Warps - 1) / Warps;
  const int k = static_cast<int>(blockIdx.x) % slice_groups * Warps + warp;
  const int first_pixel = static_cast<int>(blockIdx.x) / slice_groups * per_warp;
  if (k >= plane.count || first_pixel >= plane.width) return;
  const float i = static_cast<float>(first_pixel + of_lane.group * lane_edges) -
                  0.5F * static_cast<float>(plane.width),
              from_middle = static_cast<float>(k) - 0.5F * static_cast<float>(plane.count - 1),
              cells = static_cast<float>(scan.columns);
  const float4* sums = settled(prefix + of_lane.quad);

  float4 total[lane_edges] = {};
  const int last = views.count * (share + 1) / parts.shares;
  for (int first = views.count * share / parts.shares; first < last; first += between_differences) {
    const int end = min(first + between_differences, last);
    float4 sum[lane_edges] = {};
#pragma unroll 1
    for (int n = first; n < end; ++n) {
      const FanLocate& view = views.view[n].locate;
      const FanQuotient quotient = fan_quotient<kind>(view, i, from_middle);
      const float per_scale = bend_over_scale<kind>(view, from_middle);
      const float4* line = sums + static_cast<std::size_t>(views.view[n].row) * wide_quads;
#pragma unroll
      for (int e = 0; e < lane_edges; ++e) {
        const EdgeInView edge =
            edge_in_view<kind>(view, scan.gain, edges_on<kind>(quotient, view, e),
                               i + static_cast<float>(e), per_scale);
        const Place at = place(edge.position, cells);
        const float upper = share_below<kind>(edge.bend, scan.third_of_square, at.fraction);
        sum[e] = add_edge(line, at.index, 1 - upper, upper, sum[e]);
      }
    }
    add_differences(sum, total);
  }

  const int pixel = first_pixel + lane;
  const bool stores = lane < per_warp && pixel < plane.width;
  const std::size_t pixels = static_cast<std::size_t>(plane.width) * plane.count;
  float* of_share = parts.first + blockIdx.z * wide_slices * pixels;
  store_by_edges(total, turned[warp], [&](int slice, float sum) {
    if (!stores) return;
    float& at = of_share[slice * pixels + static_cast<std::size_t>(k) * plane.width + pixel];
    at = parts.add ? at + sum : sum;
  });
}

}  // namespace gantry::device
