#pragma once

// x_i = sum_v Z_v(t_i+1) - Z_v(t_i), Z_v: the integral of the cells of view v times their path
// length, t_i: where the edge i of a pixel falls among them. Sums over the views of one kind go to
// `parts`, one image for every value, kind of slices and share of the views; dd_fan_fold adds them.
#include "gpu/kernels/dd_fan.cuh"
#include "gpu/kernels/dd_fan_values.cuh"

namespace gantry::device {

/// A view as a line of pixels needs it, in shared memory.
struct alignas(16) StagedView {
  LineOfView line;
  std::size_t row;  ///< of the prefix sums: where it begins
};

/// What the warp's lanes find out about 32 views, each of one; returns how many are of the kind.
template <FanKind kind, class Layout>
__device__ __forceinline__ int stage_views(const DdFanScan& scan, const Layout& layout, int first,
                                           int last, int lane, bool along_y, float k,
                                           StagedView* staged) {
  const int nth = first + lane;
  const DdFanView* view = nth < last ? scan.view + layout.view(nth) : nullptr;
  const bool wanted = view != nullptr && (view->along_y != 0) == along_y;
  const unsigned found = __ballot_sync(~0U, wanted);
  __syncwarp();
  if (wanted)
    staged[__popc(found & ((1U << lane) - 1))] = {line_of_view<kind>(*view, k),
                                                  static_cast<std::size_t>(nth) * scan.row_stride};
  __syncwarp();
  return __popc(found);
}

/// Adds Z of one view at this lane's edge to `sum`.
template <FanKind kind, class Value, int Quads>
__device__ __forceinline__ void add_view(const DdFanScan& scan, const StagedView& view,
                                         const Value* const (&prefix)[Quads], float i, float cells,
                                         Value (&sum)[Quads]) {
  const Place at = place(cell_position<kind>(view.line, scan.gain, i), cells);
  const float upper = share_below<kind>(view.line, scan.third_of_square, i, at.fraction),
              lower = 1 - upper;
#pragma unroll
  for (int q = 0; q < Quads; ++q) {
    const Value* here = prefix[q] + view.row + at.index;
    sum[q] = add(lower, __ldg(here), sum[q]);
    sum[q] = add(upper, __ldg(here + 1), sum[q]);
  }
}

/// Grid: (groups of slices, and of pixels above them; values of width Quads * Value; kinds of
/// slices times shares of the views). A block's warps take as many slices.
template <class Value, int Quads, FanKind kind, int Warps, class Layout>
__global__ void __launch_bounds__(32 * Warps, resident_warps<Quads> / Warps)
    dd_fan_adjoint(DdFanScan scan, Layout layout, const Value* __restrict__ prefix, int shares,
                   float* __restrict__ parts) {
  __shared__ StagedView staged[Warps][32];
  const int lane = lane_index(), warp = warp_index(), share = static_cast<int>(blockIdx.z) % shares;
  const bool along_y = static_cast<int>(blockIdx.z) < shares;
  const SlicePlane plane = scan.plane(along_y);
  const int slice_groups = (plane.count + Warps - 1) / Warps;
  const int k = static_cast<int>(blockIdx.x) % slice_groups * Warps + warp;
  const int pixel = static_cast<int>(blockIdx.x) / slice_groups * per_warp + lane;
  if (k >= plane.count || pixel - lane >= plane.width) return;
  const auto bound = [&](int of) {
    return static_cast<int>(static_cast<long long>(scan.views) * of / shares);
  };
  const int last_view = bound(share + 1);
  const float i = static_cast<float>(pixel) - 0.5F * static_cast<float>(plane.width),
              from_middle = static_cast<float>(k) - 0.5F * static_cast<float>(plane.count - 1),
              cells = static_cast<float>(scan.columns);
  const Value* of_value[Quads];
  Value total[Quads];
#pragma unroll
  for (int q = 0; q < Quads; ++q) {
    of_value[q] =
        prefix + (static_cast<std::size_t>(blockIdx.y) * Quads + q) * scan.views * scan.row_stride;
    total[q] = zero<Value>();
  }

  for (int first = bound(share); first < last_view; first += 32) {
    const int count =
        stage_views<kind>(scan, layout, first, last_view, lane, along_y, from_middle, staged[warp]);
    for (int n = 0; n < count; n += between_differences) {
      const int end = min(n + between_differences, count);
      Value sum[Quads] = {};
#pragma unroll(4 / Quads)
      for (int l = n; l < end; ++l)
        add_view<kind, Value, Quads>(scan, staged[warp][l], of_value, i, cells, sum);
#pragma unroll
      for (int q = 0; q < Quads; ++q) total[q] = plus(total[q], minus(next_lane(sum[q]), sum[q]));
    }
  }

  if (lane >= per_warp || pixel >= plane.width) return;
  const std::size_t values = static_cast<std::size_t>(gridDim.y) * Quads * width_of<Value>,
                    pixels = static_cast<std::size_t>(plane.width) * plane.count;
#pragma unroll
  for (int j = 0; j < Quads * width_of<Value>; ++j) {
    const std::size_t part =
        blockIdx.z * values + static_cast<std::size_t>(blockIdx.y) * Quads * width_of<Value> + j;
    parts[part * pixels + static_cast<std::size_t>(k) * plane.width + pixel] =
        component(total[j / width_of<Value>], j % width_of<Value>);
  }
}

}  // namespace gantry::device
