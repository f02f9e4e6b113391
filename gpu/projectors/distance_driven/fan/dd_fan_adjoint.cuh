#pragma once

// x_i = sum_v Z_v(t_i+1) - Z_v(t_i), Z_v: the integral of the cells of view v times their path
// length, t_i: where the edge i of a pixel falls among them. Sums over the views of one kind go to
// partial images, one for every value and share of the views; dd_fan_fold adds them.
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_values.cuh"

namespace gantry::device {

/// As many views of one kind as a launch takes. Parameters of a kernel are read as the constants of
/// an instruction, at no cost, where all lanes read the same: shared memory would cost as much as
/// the sums do.
struct FanViews {
  static constexpr int most = 384;
  int count;
  FanViewAt view[most];
};

/// Adds Z of one view at this lane's edge to `sum`.
template <FanKind kind, class Value, int Quads>
__device__ __forceinline__ void add_view(const DdFanScan& scan, const FanViewAt& view,
                                         const Value* const (&prefix)[Quads], float i, float k,
                                         float cells, Value (&sum)[Quads]) {
  const EdgeInView edge = locate_edge<kind>(view.locate, scan.gain, i, k);
  const Place at = place(edge.position, cells);
  const float upper = share_below<kind>(edge.bend, scan.third_of_square, at.fraction),
              lower = 1 - upper;
  const unsigned offset = view.row + static_cast<unsigned>(at.index);
#pragma unroll
  for (int q = 0; q < Quads; ++q) {
    const Value* here = prefix[q] + offset;
    sum[q] = add(lower, __ldg(here), sum[q]);
    sum[q] = add(upper, __ldg(here + 1), sum[q]);
  }
}

/// Which slices and pixels a warp has: of a rectangle, a slice (or Rows from it on) and up to 31
/// pixels side by side.
struct WarpPlace {
  int line, pixel, end;  ///< counted in the rectangle; its pixels go on until here

  template <int Warps, int Rows>
  static __device__ __forceinline__ WarpPlace of(const Rectangle& part, int warp) {
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

/// Grid: (groups of slices, and of pixels above them; values of width Quads * Value; shares of the
/// views). A block's warps take as many slices.
template <class Value, int Quads, FanKind kind, int Warps>
__global__ void __launch_bounds__(32 * Warps, resident_warps<Quads> / Warps)
    dd_fan_adjoint(const __grid_constant__ DdFanScan scan, const __grid_constant__ FanViews views,
                   const Value* __restrict__ prefix, const __grid_constant__ Parts parts) {
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z);
  const SlicePlane plane = scan.plane(parts.along_y != 0);
  const Rectangle& part = parts.of[blockIdx.x < parts.of[1].first_block ? 0 : 1];
  const WarpPlace at_warp = WarpPlace::of<Warps, 1>(part, warp);
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
    for (int q = 0; q < Quads; ++q) total[q] = plus(total[q], minus(next_lane(sum[q]), sum[q]));
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

/// Adds Z of one view at this lane's edge on slices k, k + 1, ... to `sum`. What a view is read for
/// serves them all, and none of them waits for another.
template <FanKind kind, int Rows>
__device__ __forceinline__ void add_view_to_rows(const DdFanScan& scan, const FanViewAt& view,
                                                 const float* prefix, float i, float k, float cells,
                                                 float (&sum)[Rows]) {
  const FanLocate& at_view = view.locate;
  const FanQuotient quotient = fan_quotient<kind>(at_view, i, k);
  const float* line = prefix + view.row;
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
    const EdgeInView edge =
        edge_in_view<kind>(at_view, scan.gain, slices_on<kind>(quotient, at_view, r), i,
                           bend_over_scale<kind>(at_view, k + static_cast<float>(r)));
    const Place at = place(edge.position, cells);
    const float upper = share_below<kind>(edge.bend, scan.third_of_square, at.fraction);
    const float* here = line + static_cast<unsigned>(at.index);
    sum[r] = add(1 - upper, __ldg(here), sum[r]);
    sum[r] = add(upper, __ldg(here + 1), sum[r]);
  }
}

/// dd_fan_adjoint for single floats: a lane has an edge on Rows slices, which are side by side.
template <FanKind kind, int Warps, int Rows>
__global__ void __launch_bounds__(32 * Warps, resident_warps<1> / Warps)
    dd_fan_adjoint_rows(const __grid_constant__ DdFanScan scan,
                        const __grid_constant__ FanViews views, const float* __restrict__ prefix,
                        const __grid_constant__ Parts parts) {
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z);
  const SlicePlane plane = scan.plane(parts.along_y != 0);
  const Rectangle& part = parts.of[0];
  const WarpPlace at_warp = WarpPlace::of<Warps, Rows>(part, warp);
  if (at_warp.line >= part.lines.count) return;
  const int pixel = part.pixels.at(at_warp.pixel) + lane;
  const float i = static_cast<float>(pixel) - 0.5F * static_cast<float>(plane.width),
              from_middle = static_cast<float>(part.lines.at(at_warp.line)) -
                            0.5F * static_cast<float>(plane.count - 1),
              cells = static_cast<float>(scan.columns);
  const float* sums =
      settled(prefix + static_cast<std::size_t>(blockIdx.y) * scan.views * scan.row_stride);
  float total[Rows] = {};
  const int last = views.count * (share + 1) / parts.shares;
  for (int first = views.count * share / parts.shares; first < last; first += between_differences) {
    const int end = min(first + between_differences, last);
    float sum[Rows] = {};
#pragma unroll(Rows > 2 ? 2 : 4)
    for (int n = first; n < end; ++n)
      add_view_to_rows<kind, Rows>(scan, views.view[n], sums, i, from_middle, cells, sum);
#pragma unroll
    for (int r = 0; r < Rows; ++r) total[r] += next_lane(sum[r]) - sum[r];
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
