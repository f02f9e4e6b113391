#pragma once

// The sum of the partial images that dd_fan_adjoint writes.
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_values.cuh"

namespace gantry::device {

/// The terms of one kind (direct, or with x and y exchanged) at a pixel, and their increments from
/// one of a thread's pixels to the next.
template <int Terms>
struct TermsAt {
  const float* at[Terms];
  std::ptrdiff_t step[Terms];

  __device__ __forceinline__ TermsAt(const FoldTerm (&terms)[4], const float* parts, int x, int y,
                                     bool steps_along_x) {
#pragma unroll
    for (int t = 0; t < Terms; ++t) {
      at[t] = parts + (terms[t].first + x * terms[t].per_x + y * terms[t].per_y);
      step[t] = fold_rows * (steps_along_x ? terms[t].per_x : terms[t].per_y);
    }
  }
  __device__ __forceinline__ void go_on() {
#pragma unroll
    for (int t = 0; t < Terms; ++t) at[t] += step[t];
  }
  __device__ __forceinline__ float sum(const Folds& fold) const {
    float sum = 0;
    std::ptrdiff_t share = 0;
#pragma unroll
    for (int s = 0; s < most_view_parts; ++s, share += fold.share_stride) {
      if (s >= fold.shares) continue;
#pragma unroll
      for (int t = 0; t < Terms; ++t) sum += __ldg(at[t] + share);
    }
    return sum;
  }
};

/// image = sum
struct StoreSum {
  float* image;
  __device__ __forceinline__ void operator()(std::size_t at, float sum) { image[at] = sum; }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// image = 1 / sum, 0 where the sum is negligible
struct StoreReciprocal {
  float* image;
  float threshold;
  __device__ __forceinline__ void operator()(std::size_t at, float sum) {
    image[at] = fabsf(sum) > threshold ? 1 / sum : 0.0F;
  }
  __device__ __forceinline__ void finish(std::size_t, int) {}
};

/// x = max(x + relaxation C sum, low). The squared norm of the change goes to `partial`, by warps.
struct UpdateImage {
  float* x;
  const float* weight;  ///< diagonal of C
  float relaxation, low;
  double* partial;
  double square = 0;

  __device__ __forceinline__ void operator()(std::size_t at, float sum) {
    const float before = x[at], wanted = before + relaxation * weight[at] * sum,
                updated = wanted < low ? low : wanted;
    const double change = static_cast<double>(updated) - before;
    square += change * change;
    x[at] = updated;
  }
  __device__ __forceinline__ void finish(std::size_t warp, int lane) {
    const double sum = sum_of_lanes(square);
    if (lane == 0) partial[warp] = sum;
  }
};

/// Adds up the partial images of each pixel and passes the sum to `sink`. Terms: the number of
/// direct terms, and of exchanged ones. Block (32, 8), grid (tiles, slices from
/// first_slice).
///
///   A block owns a tile of 32 x 32 pixels of one slice. Thread (t, r) owns
///     exchanged terms of pixels (x = r, r + 8, r + 16, r + 24; y = t), contiguous along y;
///     their sums go through shared memory to the owner of the pixel;
///     direct terms of pixels (x = t; y = r, r + 8, r + 16, r + 24), contiguous along x,
///     and the pixels themselves.
template <int Terms, class Sink>
__global__ void __launch_bounds__(fold_tile* fold_rows)
    dd_fan_fold(const __grid_constant__ Folds folds, const float* __restrict__ parts,
                int first_slice, Sink sink) {
  __shared__ float exchanged[fold_tile][fold_tile + 1];
  const Fold& fold = folds.of[blockIdx.x < folds.of[1].first_tile ? 0 : 1];
  const unsigned tile = blockIdx.x - fold.first_tile,
                 tiles_along_x = static_cast<unsigned>(fold.x.count + fold_tile - 1) / fold_tile;
  const int first_x = static_cast<int>(tile % tiles_along_x) * fold_tile,
            first_y = static_cast<int>(tile / tiles_along_x) * fold_tile;
  const int across = static_cast<int>(threadIdx.x), row = static_cast<int>(threadIdx.y);
  const float* slice = parts + blockIdx.y * folds.slice_stride;
  if (folds.has_exchanged) {
    const int y = first_y + across;
    TermsAt<Terms> terms(fold.exchanged, slice, first_x + row, y, true);
#pragma unroll
    for (int j = row; j < fold_tile; j += fold_rows, terms.go_on())
      exchanged[j][across] =
          first_x + j < fold.x.count && y < fold.y.count ? terms.sum(folds) : 0.0F;
  }
  __syncthreads();
  const int x = first_x + across;
  const std::size_t image_slice = first_slice + static_cast<std::size_t>(blockIdx.y);
  TermsAt<Terms> terms(fold.direct, slice, x, first_y + row, false);
#pragma unroll
  for (int j = row; j < fold_tile; j += fold_rows, terms.go_on()) {
    const int y = first_y + j;
    if (x >= fold.x.count || y >= fold.y.count) continue;
    const std::size_t at = (image_slice * folds.ny + fold.y.at(y)) * folds.nx + fold.x.at(x);
    float sum = folds.has_exchanged ? exchanged[across][j] : 0.0F;
    if (folds.has_direct) sum += terms.sum(folds);
    sink(at, sum);
  }
  const std::size_t block =
      folds.blocks_before + static_cast<std::size_t>(blockIdx.y) * folds.tiles + blockIdx.x;
  sink.finish(block * fold_rows + row, across);
}

}  // namespace gantry::device
