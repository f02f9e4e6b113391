#pragma once

// Kernels that make prefix sums: of the layers of an image, and of the weighted cells of views.
// Each line of prefix sums begins at minus half of the line's total, which no difference depends
// on, so that the sums are at most half as large, and so are their rounding errors.
//
// `parts` says how many warps a line is divided among (LinePart):
//   parts 1: a block owns as many lines as it has warps   parts > 1: a block owns one line
//     warp w   line blockIdx.x * warps + w                  warp w   part w of line blockIdx.x
//     lane l   elements l, l + 32, l + 64, ...              lane l   elements l, l + 32, ... of it
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_values.cuh"

namespace gantry::device {

/// The line, or the part of a line, that a warp owns. Where there are few lines, each is divided
/// among the warps of a block, so that more loads are in flight.
struct LinePart {
  int line, part, parts;

  /// For one part, blockIdx.x counts groups of as many lines as a block has warps; else lines.
  static __device__ __forceinline__ LinePart of(int parts) {
    const int warp = warp_index();
    return parts == 1 ? LinePart{static_cast<int>(blockIdx.x * (blockDim.x >> 5U)) + warp, 0, 1}
                      : LinePart{static_cast<int>(blockIdx.x), warp, parts};
  }
};

/// line[0 .. count + 1] = prefix sums of load(0 .. count - 1). The last sum is stored twice,
/// because an edge at the end of the line is looked up as the lower edge of an element beyond it.
template <class Value, class Load>
__device__ __forceinline__ void sum_line(Value* __restrict__ line, int count, int lane,
                                         const LinePart& part, const Load& load) {
  __shared__ Value sums[most_line_parts];
  const int each = (count + 32 * part.parts - 1) / (32 * part.parts) * 32,
            begin = min(part.part * each, count), end = min(begin + each, count);
  Value total = zero<Value>();
  for (int i = begin + lane; i < end; i += 32) {  // what a lane stores, it reads again
    const Value value = load(i);
    line[i + 1] = value;
    total = plus(total, value);
  }
  total = of_lane(scan_lanes(total, lane), 31);
  Value before = zero<Value>();
  if (part.parts > 1) {
    if (lane == 0) sums[part.part] = total;
    __syncthreads();
    total = zero<Value>();
    for (int p = 0; p < part.parts; ++p) {
      if (p == part.part) before = total;
      total = plus(total, sums[p]);
    }
  }
  Value carry = plus(before, times(-0.5F, total));
  if (part.part == 0 && lane == 0) line[0] = carry;
  constexpr int rounds = 4;  // loads under way at once
  for (int first = begin; first < end; first += 32 * rounds) {
    Value value[rounds];
#pragma unroll
    for (int u = 0; u < rounds; ++u) {
      const int i = first + 32 * u + lane;
      value[u] = i < end ? line[i + 1] : zero<Value>();
    }
#pragma unroll
    for (int u = 0; u < rounds; ++u) {
      const int i = first + 32 * u + lane;
      const Value sum = plus(scan_lanes(value[u], lane), carry);
      carry = of_lane(sum, 31);
      if (i < end) line[i + 1] = sum;
    }
  }
  if (part.part == part.parts - 1 && lane == 0) line[count + 1] = carry;
}

/// Makes the prefix sums of the layers of a band. Grid: (groups of layers, Values, kinds of
/// layers); `begin_along_y`: whether the first kind is along y, which the second one never is.
/// Owners: see the head of the file; a line is a layer of one Value.
template <class Value, class Layout>
__global__ void dd_fan_sum_image(DdFanScan scan, Layout layout, bool begin_along_y, int parts,
                                 const float* __restrict__ image, Value* __restrict__ prefix) {
  const bool along_y = begin_along_y && blockIdx.z == 0;
  const LayerSums plane = scan.plane(along_y);
  const int lane = lane_index(), first_value = static_cast<int>(blockIdx.y) * width_of<Value>;
  const LinePart part = LinePart::of(parts);
  const int k = plane.begin + part.line;
  if (k >= plane.end) return;
  Value* line = prefix + plane.first + blockIdx.y * plane.size +
                static_cast<std::size_t>(k - plane.begin) * plane.stride;
  if (k >= plane.count) {
    for (int i = 32 * part.part + lane; i < plane.width + 2; i += 32 * parts)
      line[i] = zero<Value>();
    return;
  }
  sum_line(line, plane.width, lane, part, [&](int i) {
    Value value = zero<Value>();
#pragma unroll
    for (int j = 0; j < width_of<Value>; ++j) {
      if (!layout.has(first_value + j)) continue;
      const ImageMap at = layout.pixels(first_value + j, along_y);
      component(value, j) = image[at.first + i * at.per_i + k * at.per_k];
    }
    return value;
  });
}

/// A ray of dd_fan_sum_views: its index in an array of rays and in an array of the rays of one
/// slice, and the value that lay at the address of its prefix sum.
struct RayAt {
  std::ptrdiff_t at, of_slice;
  float projected;
};

/// The rays as they are.
struct PlainRays {
  static constexpr bool projected = false;
  const float* rays;
  __device__ __forceinline__ float operator()(const RayAt& ray) { return rays[ray.at]; }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// Rays that are all one.
struct OnesRays {
  static constexpr bool projected = false;
  __device__ __forceinline__ float operator()(const RayAt&) { return 1; }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// Rays C (b - r), where r holds A x; they replace r, so that each ray must be read once. The
/// squared norm of b - A x goes to `partial`, one sum for each part of a line.
struct ResidualRays {
  static constexpr bool projected = false;
  const float* b;
  const float* weight;  ///< diagonal of C; null: the identity
  float* r;
  double* partial;
  double square = 0;

  __device__ __forceinline__ float operator()(const RayAt& ray) {
    const float residual = b[ray.at] - r[ray.at];
    square += static_cast<double>(residual) * residual;
    const float weighted = weight != nullptr ? weight[ray.at] * residual : residual;
    r[ray.at] = weighted;
    return weighted;
  }
  __device__ __forceinline__ void finish(std::size_t line, int lane) {
    const double sum = sum_of_lanes(square);
    if (lane == 0) partial[line] = sum;
  }
};

/// Rays C (b - A x), where A x lies in the memory of the prefix sums. C may be that of one slice,
/// for all slices.
struct ProjectedRays {
  static constexpr bool projected = true;
  const float* b;
  const float* weight;  ///< diagonal of C; null: the identity
  int of_slice;         ///< 1: `weight` has the rays of one slice
  double* partial;
  double square = 0;

  __device__ __forceinline__ float operator()(const RayAt& ray) {
    const float residual = b[ray.at] - ray.projected;
    square += static_cast<double>(residual) * residual;
    if (weight == nullptr) return residual;
    return weight[of_slice != 0 ? ray.of_slice : ray.at] * residual;
  }
  __device__ __forceinline__ void finish(std::size_t line, int lane) {
    const double sum = sum_of_lanes(square);
    if (lane == 0) partial[line] = sum;
  }
};

/// Makes the prefix sums of views, prefix[Value][nth view][cell edge], of `rays` times path length.
/// Grid: (groups of views, Values). Owners: see the head of the file; a line is a view of one
/// Value.
template <class Value, class Layout, class Rays>
__global__ void dd_fan_sum_views(DdFanScan scan, Layout layout, Rays rays, int parts,
                                 Value* __restrict__ prefix) {
  const int lane = lane_index(), first_value = static_cast<int>(blockIdx.y) * width_of<Value>;
  const LinePart part = LinePart::of(parts);
  const int nth = part.line;
  if (nth >= scan.views) return;
  const int v = layout.view(nth);
  const float* length_mm = scan.length_mm + static_cast<std::size_t>(v) * scan.columns;
  const std::size_t nth_line = static_cast<std::size_t>(blockIdx.y) * scan.views + nth;
  Value* line = prefix + nth_line * scan.row_stride;
  sum_line(line, scan.columns, lane, part, [&](int cell) {
    Value value = zero<Value>(), before = zero<Value>();
    if constexpr (Rays::projected) before = line[cell + 1];
#pragma unroll
    for (int j = 0; j < width_of<Value>; ++j) {
      if (!layout.has(first_value + j)) continue;
      const RayLine at = layout.rays(nth, scan.view[v], first_value + j),
                    of_slice = layout.rays_of_slice(nth, scan.view[v], first_value + j);
      const auto along = static_cast<std::ptrdiff_t>(cell);
      component(value, j) =
          length_mm[cell] * rays({at.first + along * at.step,
                                  of_slice.first + along * of_slice.step, component(before, j)});
    }
    return value;
  });
  const std::size_t lines_before =
      static_cast<std::size_t>(layout.values_before() / width_of<Value>) * scan.views;
  rays.finish((lines_before + nth_line) * parts + part.part, lane);
}

}  // namespace gantry::device
