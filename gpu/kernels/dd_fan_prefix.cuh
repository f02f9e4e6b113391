#pragma once

// Prefix sums of the slices of an image, and of the weighted cells of views. A warp makes a line.
// A constant added to a line does not show in differences, so that it begins at minus half of its
// total: the sums are then half as large, and so is their rounding.
#include "gpu/kernels/dd_fan.cuh"
#include "gpu/kernels/dd_fan_values.cuh"

namespace gantry::device {

/// line[0 .. count + 1] = prefix sums of load(0 .. count - 1), the last one twice: an edge at the
/// far end is looked up as a place in the cell beyond.
template <class Value, class Load>
__device__ __forceinline__ void sum_line(Value* __restrict__ line, int count, int lane,
                                         const Load& load) {
  Value total = zero<Value>();
  for (int i = lane; i < count; i += 32) {  // what a lane stores, it reads again
    const Value value = load(i);
    line[i + 1] = value;
    total = plus(total, value);
  }
  Value carry = times(-0.5F, of_lane(scan_lanes(total, lane), 31));
  if (lane == 0) line[0] = carry;
  constexpr int rounds = 4;  // loads under way at once
  for (int first = 0; first < count; first += 32 * rounds) {
    Value value[rounds];
#pragma unroll
    for (int u = 0; u < rounds; ++u) {
      const int i = first + 32 * u + lane;
      value[u] = i < count ? line[i + 1] : zero<Value>();
    }
#pragma unroll
    for (int u = 0; u < rounds; ++u) {
      const int i = first + 32 * u + lane;
      const Value sum = plus(scan_lanes(value[u], lane), carry);
      carry = of_lane(sum, 31);
      if (i < count) line[i + 1] = sum;
    }
  }
  if (lane == 0) line[count + 1] = carry;
}

/// Grid: (groups of slices, values of width Value, kinds of slices). `begin_along_y`: of which the
/// first kind is.
template <class Value, class Layout>
__global__ void dd_fan_sum_image(DdFanScan scan, Layout layout, bool begin_along_y,
                                 const float* __restrict__ image, Value* __restrict__ prefix) {
  const bool along_y = begin_along_y && blockIdx.z == 0;
  const SlicePlane plane = scan.plane(along_y);
  const int lane = lane_index(), first_value = static_cast<int>(blockIdx.y) * width_of<Value>;
  const int k = static_cast<int>(blockIdx.x * (blockDim.x >> 5U)) + warp_index();
  if (k >= plane.padded) return;
  Value* line =
      prefix + plane.first + blockIdx.y * plane.size + static_cast<std::size_t>(k) * plane.stride;
  if (k >= plane.count) {
    for (int i = lane; i < plane.width + 2; i += 32) line[i] = zero<Value>();
    return;
  }
  sum_line(line, plane.width, lane, [&](int i) {
    Value value = zero<Value>();
#pragma unroll
    for (int j = 0; j < width_of<Value>; ++j) {
      if (!layout.has(first_value + j)) continue;
      const PixelMap at = layout.pixels(first_value + j, along_y);
      component(value, j) = image[at.first + i * at.per_i + k * at.per_k];
    }
    return value;
  });
}

/// The rays as they are.
struct PlainRays {
  const float* rays;
  __device__ __forceinline__ float operator()(std::ptrdiff_t at) { return rays[at]; }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// Rays that are all one.
struct OnesRays {
  __device__ __forceinline__ float operator()(std::ptrdiff_t) { return 1; }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// r = C (b - r), where r held A x: of every ray once. The squared norm of b - A x goes to
/// `partial`, by lines.
struct ResidualRays {
  const float* b;
  const float* weight;  ///< diagonal of C; null: the identity
  float* r;
  double* partial;
  double square = 0;

  __device__ __forceinline__ float operator()(std::ptrdiff_t at) {
    const float residual = b[at] - r[at];
    square += static_cast<double>(residual) * residual;
    const float weighted = weight != nullptr ? weight[at] * residual : residual;
    r[at] = weighted;
    return weighted;
  }
  __device__ __forceinline__ void finish(std::size_t line, int lane) {
    const double sum = sum_of_lanes(square);
    if (lane == 0) partial[line] = sum;
  }
};

/// Grid: (groups of views, values of width Value). prefix[value][nth view][cell edge]
template <class Value, class Layout, class Rays>
__global__ void dd_fan_sum_views(DdFanScan scan, Layout layout, Rays rays,
                                 Value* __restrict__ prefix) {
  const int lane = lane_index(), first_value = static_cast<int>(blockIdx.y) * width_of<Value>;
  const int nth = static_cast<int>(blockIdx.x * (blockDim.x >> 5U)) + warp_index();
  if (nth >= scan.views) return;
  const int v = layout.view(nth);
  const float* length_mm = scan.length_mm + static_cast<std::size_t>(v) * scan.columns;
  const std::size_t line = static_cast<std::size_t>(blockIdx.y) * scan.views + nth;
  sum_line(prefix + line * scan.row_stride, scan.columns, lane, [&](int cell) {
    Value value = zero<Value>();
#pragma unroll
    for (int j = 0; j < width_of<Value>; ++j) {
      if (!layout.has(first_value + j)) continue;
      const RayLine at = layout.rays(nth, scan.view[v], first_value + j);
      component(value, j) =
          length_mm[cell] * rays(at.first + static_cast<std::ptrdiff_t>(cell) * at.step);
    }
    return value;
  });
  const std::size_t lines_before =
      static_cast<std::size_t>(layout.values_before() / width_of<Value>) * scan.views;
  rays.finish(lines_before + line, lane);
}

}  // namespace gantry::device
