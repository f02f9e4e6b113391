#pragma once

// The two kernels of an update by a subset of the views: sweep_rays computes the residuals of the
// subset's rays, sweep_voxels corrects the image. A sweep has one step for each subset; kernels
// read the views of a step from memory, so that a recorded graph serves every order of the subsets.
// In each step one thread alone adds to a given partial sum of squares, so that the order of
// additions is fixed.
//
//   sweep_rays, layouts with together = 1: a block of 128 threads for each ray
//
//     entries of the ray   [ e0 | e1 | ... | e127 ][ e128 | ... | e255 ] ...
//     thread                 0    1          127      0           127
//
//   sweep_rays, layouts with together = 32 (chunks): a block of 1024 threads for each chunk of 32
//   rays
//
//                 lane 0   lane 1  ...  lane 31      lane: ray of the chunk
//     warp 0      e0, e32, e64, ...                  warp w takes entries w, w + 32, ...
//     warp 1      e1, e33, e65, ...
//     ...
//     warp 31     e31, e63, ...
//
//     Shared memory in both: sums[warp][ray]. The first thread of each ray adds the sums of the
//     warps in their order, writes r and adds to the ray's partial sum.
//
//   find_views, sweep_voxels: a thread for each voxel, 256 in a block. A thread of sweep_voxels
//   goes through the entries of its voxel in the step's views. Shared memory of sweep_voxels:
//   sums[8], the squares of each warp; thread 0 adds them to the block's partial sum.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/sweeps/sweep_model.hpp"
#include "gpu/matrix/sweeps/tuning.hpp"

namespace gantry::device {

/// A kernel of a sweep may start while the kernel before it still runs (programmatic dependent
/// launch). It may read the matrix at once, but waits for the end of the earlier kernel before it
/// touches the image or the residuals. Every block waits, so that when a kernel has ended, all
/// kernels before it have ended too.
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

/// Finds where the views of each voxel's entries begin.
template <class Lines>
__global__ void __launch_bounds__(usual_threads)
    find_views(Lines lines, std::int64_t places, int views, int cells, ViewStart* first) {
  const std::int64_t place = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (place < places) find_view_starts(lines, place, places, views, cells, first);
}

using sweeps::ray_threads;

/// Computes the weighted residuals of the step's rays and adds their squares to `partial`. The
/// number of rays of a view, with padding of the layout, is a multiple of `together`. Blocks behind
/// the rays of a step, which may have fewer than others of the sweep, only wait.
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
  atomicAdd(partial + (begin + mine), store_residual(data, line.row, measured, total));
}

/// Updates the voxels from the residuals of the step's rays and adds the squares of their changes
/// to partial[block].
template <class Lines>
__global__ void __launch_bounds__(usual_threads)
    sweep_voxels(Lines lines, std::int64_t places, const ViewStart* __restrict__ first,
                 const ViewRange* __restrict__ steps, int step, SweepData data,
                 double* __restrict__ partial) {
  __shared__ double sums[usual_warps];
  const std::int64_t place = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  double square = 0;
  let_next_start();
  if (place < places) {
    const auto line = lines.line(place);
    if (line.row >= 0)
      square =
          sweep_voxel(data, line, first, place, places, steps[step], [] { wait_for_previous(); });
  }
  wait_for_previous();  // for threads without a voxel too
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
