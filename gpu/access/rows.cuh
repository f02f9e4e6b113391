#pragma once

// Corrections by single rays, see core/operator/row_access.hpp. A Model gives the weights of a ray:
//   model.visit_row(ray, lane, lanes, use(voxel, weight)), all lanes of a ray together visiting it
// All kernels have blocks of 128 threads and a grid of one dimension.
//
//   kernel         a group of Lanes threads (1 or 32) owns the nth ray of the list
//   row_correct    the lanes add up <a, x> and ||a||^2, then change the voxels of their parts; each
//                  block adds its squared residuals to *square by an atomic
//   row_counts     each lane adds 1 to the voxels of its part, by atomics
//   row_norms      each block adds ||a||^2 and the number of rays that hit to sums[0] and sums[1]
//
// Shared memory holds the storage of cub::BlockReduce alone.
#include "core/operator/row_access.hpp"
#include "gpu/device/host_device.hpp"
#include "gpu/device/warp.cuh"

#include <cstdint>
#include <cub/block/block_reduce.cuh>

namespace gantry::device {

constexpr int row_threads = 128;

struct RayListView {
  const std::uint32_t* ray;
  std::int64_t first, count;
};
template <int Lanes>
__device__ std::int64_t ray_of_group() {
  return (blockIdx.x * std::int64_t{row_threads} + threadIdx.x) / Lanes;
}
template <int Lanes>
__device__ int lane_of_group() {
  return Lanes == 1 ? 0 : lane_of_warp();
}

/// The operands of RowStep.
struct RowUpdate {
  const float *b, *weights, *pull;  ///< weights and pull may be null
  float step, smallest, low;
  bool normalised;
};

/// x_j = max(x_j + change, low). While other threads change x_j as well, no change is lost.
__device__ inline void change_by_atomics(float* x, float change, float low) {
  const float now = atomicAdd(x, change) + change;
  // As integers, floats of either sign compare with a bound that is not negative as floats do.
  if (now < low) atomicMax(reinterpret_cast<int*>(x), __float_as_int(low));
}
/// The same by a load and a store: of the changes that collide, one survives.
__device__ inline void change_by_stores(float* x, float change, float low) {
  volatile float* at = x;
  *at = fmaxf(*at + change, low);
}

template <int Lanes, bool Racing, class Model>
__global__ void __launch_bounds__(row_threads)
    row_correct(Model model, RayListView rays, RowUpdate update, float* __restrict__ x,
                double* __restrict__ square) {
  using Reduce = cub::BlockReduce<double, row_threads>;
  __shared__ typename Reduce::TempStorage storage;
  double residual_square = 0;
  const std::int64_t nth = ray_of_group<Lanes>();
  if (const std::uint32_t ray = nth < rays.count ? rays.ray[rays.first + nth] : no_ray;
      ray != no_ray) {
    const int lane = lane_of_group<Lanes>();
    float product = 0, norm = 0;
    model.visit_row(ray, lane, Lanes, [&](std::size_t voxel, float weight) {
      product = fmaf(weight, __ldcg(x + voxel), product);
      norm = fmaf(weight, weight, norm);
    });
    if constexpr (Lanes > 1) {
      product = warp_sum(product);
      norm = warp_sum(norm);
    }
    const float deviation = load(update.b + ray) - product;
    if (lane == 0) residual_square = static_cast<double>(deviation) * deviation;
    if (norm > update.smallest) {
      const float gamma = update.normalised ? update.step / norm : update.step;
      const float factor =
          gamma * deviation * (update.weights != nullptr ? load(update.weights + ray) : 1.0F);
      model.visit_row(ray, lane, Lanes, [&](std::size_t voxel, float weight) {
        const float pull = update.pull != nullptr ? load(update.pull + voxel) : 0.0F;
        const float change = fmaf(factor, weight, -pull);
        if constexpr (Racing)
          change_by_stores(x + voxel, change, update.low);
        else
          change_by_atomics(x + voxel, change, update.low);
      });
    }
  }
  const double total = Reduce(storage).Sum(residual_square);
  if (threadIdx.x == 0) atomicAdd(square, total);
}

template <class Model>
__global__ void __launch_bounds__(row_threads)
    row_counts(Model model, std::int64_t rays, float* __restrict__ n) {
  const std::int64_t ray = ray_of_group<1>();
  if (ray >= rays) return;
  model.visit_row(static_cast<std::uint32_t>(ray), 0, 1,
                  [&](std::size_t voxel, float) { atomicAdd(n + voxel, 1.0F); });
}

/// Sums over the rays of every `stride`-th view.
template <class Model>
__global__ void __launch_bounds__(row_threads)
    row_norms(Model model, std::int64_t cells, std::int64_t views, std::int64_t stride,
              double* __restrict__ sums) {
  using Reduce = cub::BlockReduce<double, row_threads>;
  __shared__ typename Reduce::TempStorage storage[2];
  double norm = 0;
  if (const std::int64_t nth = ray_of_group<1>(); nth < cells * views)
    model.visit_row(static_cast<std::uint32_t>(nth / cells * stride * cells + nth % cells), 0, 1,
                    [&](std::size_t, float weight) { norm += weight * weight; });
  const double total = Reduce(storage[0]).Sum(norm),
               hits = Reduce(storage[1]).Sum(norm > 0 ? 1 : 0);
  if (threadIdx.x != 0) return;
  atomicAdd(sums, total);
  atomicAdd(sums + 1, hits);
}

}  // namespace gantry::device
