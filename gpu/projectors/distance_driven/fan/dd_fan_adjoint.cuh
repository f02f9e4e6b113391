#pragma once

// Kernels of the transpose,
//   x_i = sum_v Z_v(t_i+1) - Z_v(t_i),
// with Z_v the integral of view v (the prefix sum of its cells times their path lengths) and t_i
// the projection of the lower edge of pixel i. The sums over the views of one kind go to partial
// images, one for each value and each part of the views; dd_fan_fold adds them.
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_values.cuh"

namespace gantry::device {

/// The views of one kind that a launch processes. They are parameters of the kernel because all
/// lanes read the same view: an instruction takes a parameter as a constant operand at no cost,
/// whereas loads from shared memory would take as long as the sums. 384 views are 18 KiB of the
/// 32764 bytes of parameters that a kernel may have.
struct FanViews {
  static constexpr int most = dd_fan::most_launch_views;
  int count;
  FanViewRow view[most];
};
static_assert(sizeof(FanViews) + sizeof(DdFanScan) + sizeof(Parts) + sizeof(void*) <= 32764);

/// Adds Z of one view at this lane's edge to `sum`.
template <FanKind kind, class Value, int Quads>
__device__ __forceinline__ void add_view(const DdFanScan& scan, const FanViewRow& view,
                                         const Value* const (&prefix)[Quads], float i, float k,
                                         float cells, Value (&sum)[Quads]) {
  const EdgeInView edge = locate_edge<kind>(view.locate, scan.gain, i, k);
  const CellFraction at = place(edge.position, cells);
  const float upper = fraction_below<kind>(edge.bend, scan.angle_square_third, at.fraction),
              lower = 1 - upper;
  const unsigned offset = view.row + static_cast<unsigned>(at.index);
#pragma unroll
  for (int q = 0; q < Quads; ++q) {
    const Value* here = prefix[q] + offset;
    sum[q] = add(lower, __ldg(here), sum[q]);
    sum[q] = add(upper, __ldg(here + 1), sum[q]);
  }
}

/// The pixels that a warp owns in a rectangle: up to 31 neighbouring pixels of a layer, or of Rows
/// neighbouring layers.
struct WarpPixels {
  int line, pixel, end;  ///< first layer, first pixel and end of the pixels, in the rectangle

  template <int Warps, int Rows>
  static __device__ __forceinline__ WarpPixels of(const LayerRectangle& part, int warp) {
    const int block = static_cast<int>(blockIdx.x - part.first_block),
              line_groups = (part.lines.count + Warps * Rows - 1) / (Warps * Rows),
              group = block / line_groups,
              groups_before_gap = (part.pixels.split + per_warp - 1) / per_warp;
    const bool before = group < groups_before_gap;
    const int line = (block % line_groups * Warps + warp) * Rows,
              pixel = before ? group * per_warp
                             : part.pixels.split + (group - groups_before_gap) * per_warp;
    return {line, pixel, before ? part.pixels.split : part.pixels.count};
  }
};

/// Transpose of Quads Values per lane. Grid: (layer groups x pixel groups, groups of Quads Values,
/// parts of the views); the layer group is the faster index of blockIdx.x.
///
///   block    Warps neighbouring layers, the same 31 pixels, one part of the views
///   warp w   layer group * Warps + w: all views of the part, one after the other
///   lane l   edge l of the 31 pixels, and pixel l for l < 31, of Quads Values
template <class Value, int Quads, FanKind kind, int Warps>
__global__ void __launch_bounds__(32 * Warps, resident_warps<Quads> / Warps)
    dd_fan_adjoint(const __grid_constant__ DdFanScan scan, const __grid_constant__ FanViews views,
                   const Value* __restrict__ prefix, const __grid_constant__ Parts parts) {
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z);
  const LayerSums plane = scan.plane(parts.along_y != 0);
  const LayerRectangle& part = parts.of[blockIdx.x < parts.of[1].first_block ? 0 : 1];
  const WarpPixels at_warp = WarpPixels::of<Warps, 1>(part, warp);
  if (at_warp.line >= part.lines.count) return;
  const int pixel = part.pixels.at(at_warp.pixel) + lane;
  const float i = static_cast<float>(pixel) - 0.5F * static_cast<float>(plane.width),
              from_middle = static_cast<float>(part.lines.at(at_warp.line)) -
                            0.5F * static_cast<float>(plane.count - 1),
              cells = static_cast<float>(scan.columns);
  const Value* of_value[Quads];
  Value total[Quads];
#pragma unroll
  for (int q = 0; q < Quads; ++q) {
    of_value[q] =
        prefix + (static_cast<std::size_t>(blockIdx.y) * Quads + q) * scan.views * scan.row_stride;
    total[q] = zero<Value>();
  }

  const int last = views.count * (share + 1) / parts.shares;
  for (int first = views.count * share / parts.shares; first < last; first += between_differences) {
    const int end = min(first + between_differences, last);
    Value sum[Quads] = {};
#pragma unroll(width_of <Value>* Quads == 1 ? 8 : 4)
    for (int n = first; n < end; ++n)
      add_view<kind, Value, Quads>(scan, views.view[n], of_value, i, from_middle, cells, sum);
#pragma unroll
    for (int q = 0; q < Quads; ++q)
      total[q] = plus(total[q], minus(from_lane_above(sum[q]), sum[q]));
  }

  if (lane >= per_warp || at_warp.pixel + lane >= at_warp.end) return;
  const std::size_t values = static_cast<std::size_t>(gridDim.y) * Quads * width_of<Value>,
                    in_part = part.first + lane + at_warp.pixel +
                              static_cast<std::size_t>(at_warp.line) * part.pixels.count;
#pragma unroll
  for (int j = 0; j < Quads * width_of<Value>; ++j) {
    const std::size_t image =
        blockIdx.z * values + static_cast<std::size_t>(blockIdx.y) * Quads * width_of<Value> + j;
    float& at = parts.first[image * parts.size + in_part];
    const float made = component(total[j / width_of<Value>], j % width_of<Value>);
    at = parts.add ? at + made : made;
  }
}

/// Adds Z of one view at this lane's edge on layers k, k + 1, ... to `sum`. The view's parameters
/// are read once for all Rows layers, whose operations do not depend on each other.
template <FanKind kind, int Rows>
__device__ __forceinline__ void add_view_to_rows(const DdFanScan& scan, const FanViewRow& view,
                                                 const float* prefix, float i, float k, float cells,
                                                 float (&sum)[Rows]) {
  const FanLocate& at_view = view.locate;
  const FanQuotient quotient = fan_quotient<kind>(at_view, i, k);
  const float* line = prefix + view.row;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const EdgeInView edge =
        edge_in_view<kind>(at_view, scan.gain, layers_further<kind>(quotient, at_view, r), i,
                           bend_over_scale<kind>(at_view, k + static_cast<float>(r)));
    const CellFraction at = place(edge.position, cells);
    const float upper = fraction_below<kind>(edge.bend, scan.angle_square_third, at.fraction);
    const float* here = line + static_cast<unsigned>(at.index);
    sum[r] = add(1 - upper, __ldg(here), sum[r]);
    sum[r] = add(upper, __ldg(here + 1), sum[r]);
  }
}

/// dd_fan_adjoint for single floats. Grid: as there.
///
///   block    Warps * Rows neighbouring layers, the same 31 pixels, one part of the views
///   warp w   Rows layers from (layer group * Warps + w) * Rows on
///   lane l   edge l of the 31 pixels, and pixel l for l < 31, on Rows layers
template <FanKind kind, int Warps, int Rows>
__global__ void __launch_bounds__(32 * Warps, resident_warps<1> / Warps)
    dd_fan_adjoint_rows(const __grid_constant__ DdFanScan scan,
                        const __grid_constant__ FanViews views, const float* __restrict__ prefix,
                        const __grid_constant__ Parts parts) {
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z);
  const LayerSums plane = scan.plane(parts.along_y != 0);
  const LayerRectangle& part = parts.of[0];
  const WarpPixels at_warp = WarpPixels::of<Warps, Rows>(part, warp);
  if (at_warp.line >= part.lines.count) return;
  const int pixel = part.pixels.at(at_warp.pixel) + lane;
  const float i = static_cast<float>(pixel) - 0.5F * static_cast<float>(plane.width),
              from_middle = static_cast<float>(part.lines.at(at_warp.line)) -
                            0.5F * static_cast<float>(plane.count - 1),
              cells = static_cast<float>(scan.columns);
  const float* sums =
      opaque_address(prefix + static_cast<std::size_t>(blockIdx.y) * scan.views * scan.row_stride);
  float total[Rows] = {};
  const int last = views.count * (share + 1) / parts.shares;
  for (int first = views.count * share / parts.shares; first < last; first += between_differences) {
    const int end = min(first + between_differences, last);
    float sum[Rows] = {};
#pragma unroll(Rows > 2 ? 2 : 4)
    for (int n = first; n < end; ++n)
      add_view_to_rows<kind, Rows>(scan, views.view[n], sums, i, from_middle, cells, sum);
#pragma unroll
    for (int r = 0; r < Rows; ++r) total[r] += from_lane_above(sum[r]) - sum[r];
  }
  if (lane >= per_warp || at_warp.pixel + lane >= at_warp.end) return;
  const std::size_t image = static_cast<std::size_t>(blockIdx.z) * gridDim.y + blockIdx.y;
  float* at = parts.first + (image * parts.size + part.first + at_warp.pixel + lane +
                             static_cast<std::size_t>(at_warp.line) * part.pixels.count);
#pragma unroll
  for (int r = 0; r < Rows; ++r, at += part.pixels.count)
    if (at_warp.line + r < part.lines.count) *at = parts.add ? *at + total[r] : total[r];
}

}  // namespace gantry::device
