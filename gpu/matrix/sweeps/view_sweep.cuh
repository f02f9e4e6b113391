#pragma once

// The two kernels of an update: residuals of a step's rays, then its voxels. Which views a step has
// is read from memory, so that what has been recorded serves every order of them. Partial sums of
// squares have one writer in each step, and so are always added in the same order.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/sweeps/sweep_model.hpp"

namespace gantry::device {

/// A kernel of a sweep may be started while the one before it still runs (programmatic dependent
/// launch): it reads of the matrix until then, and waits before it touches image or residuals. All
/// blocks wait, so that the end of a kernel is the end of all before it.
__device__ __forceinline__ void let_next_start() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ __forceinline__ void wait_for_previous() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

/// A thread for each voxel, blocks of 256.
template <class Lines>
__global__ void __launch_bounds__(256)
    find_views(Lines lines, std::int64_t places, int views, int cells, ViewStart* first) {
  const std::int64_t place = blockIdx.x * std::int64_t{256} + threadIdx.x;
  if (place < places) find_view_starts(lines, place, places, views, cells, first);
}

/// Of a block that adds up rays: one line by four warps, or 32 by as many warps, each a part of
/// their entries.
template <class Lines>
constexpr int ray_threads = Lines::together == 1 ? 128 : 1024;

/// A block for each `together` places of the step's views, which are as many as a block's lines or
/// a multiple.
template <class Lines>
__global__ void __launch_bounds__(ray_threads<Lines>)
    sweep_rays(Lines lines, const ViewRange* __restrict__ steps, int step, SweepData data,
               double* __restrict__ partial) {
  constexpr int together = Lines::together, shares = ray_threads<Lines> / together,
                warps = ray_threads<Lines> / 32;
  static_assert(together == 1 || together == 32);
  __shared__ float sums[warps][together];
  const ViewRange views = steps[step];
  const std::int64_t begin = blockIdx.x * std::int64_t{together};
  let_next_start();
  if (begin >= views.rows()) return wait_for_previous();
  const int mine = static_cast<int>(threadIdx.x) % together;
  const auto line = lines.line(views.row(begin + mine));
  const bool keeps = threadIdx.x < together && line.row >= 0;
  const SweptRay measured = keeps ? swept_ray(data, line.row) : SweptRay{};
  wait_for_previous();
  float sum = 0;
#pragma unroll 4
  for (int e = static_cast<int>(threadIdx.x) / together; e < line.length; e += shares) {
    const LineEntry one = line.entry(e);
    if (one.index >= 0) sum = fmaf(one.weight, data.x[one.index], sum);
  }
  if (together == 1) sum = warp_sum(sum);
  if (together == 32 || lane_of_warp() == 0) sums[threadIdx.x / 32][mine] = sum;
  __syncthreads();
  if (!keeps) return;
  float total = 0;
#pragma unroll
  for (int warp = 0; warp < warps; ++warp) total += sums[warp][mine];
  atomicAdd(partial + (begin + mine), sweep_ray(data, line.row, measured, total));
}

/// A thread for each voxel, blocks of 256.
template <class Lines>
__global__ void __launch_bounds__(256)
    sweep_voxels(Lines lines, std::int64_t places, const ViewStart* __restrict__ first,
                 const ViewRange* __restrict__ steps, int step, SweepData data,
                 double* __restrict__ partial) {
  __shared__ double sums[8];
  const std::int64_t place = blockIdx.x * std::int64_t{256} + threadIdx.x;
  double square = 0;
  let_next_start();
  if (place < places) {
    const auto line = lines.line(place);
    if (line.row >= 0)
      square =
          sweep_voxel(data, line, first, place, places, steps[step], [] { wait_for_previous(); });
  }
  wait_for_previous();  // also where there is no voxel
  square = warp_sum(square);
  if (lane_of_warp() == 0) sums[threadIdx.x / 32] = square;
  __syncthreads();
  if (threadIdx.x > 0) return;
  double total = 0;
#pragma unroll
  for (const double one : sums) total += one;
  atomicAdd(partial + blockIdx.x, total);
}

}  // namespace gantry::device
