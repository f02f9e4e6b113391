#pragma once

// The one-launch iteration of cuART (Yu et al., J. Signal Process. Syst. 91 (2019) 321, eq. 9 and
// Algorithm 2): a block has a stored row in shared memory, sums it up for all its images, and adds
// their weighted residuals to the pixels before it lets go of it. By atomics; pixels go into a sum
// of their own, since others still read the image.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"

namespace gantry::device {

constexpr int fused_threads = 256, most_row_segments = 1024;

/// What residuals are made of and where they go.
struct FusedRays {
  const float *b, *weight;  ///< weight may be null
  float* r;
  float unit;
};

/// Of a row, 8 bytes an entry.
struct RowEntry {
  int pixel;
  float weight;
};

/// Shared memory: the entries of the longest row.
inline std::size_t fused_bytes(std::size_t longest) { return longest * sizeof(RowEntry); }

/// Adds up what a thread has of values side by side, over the block; all threads get the sums.
template <int Count>
__device__ void block_sums(const float (&mine)[Count], float (&sums)[fused_threads / 32][Count],
                           float (&out)[Count]) {
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    const float sum = warp_sum(mine[g]);
    if (lane_of_warp() == 0) sums[threadIdx.x / 32][g] = sum;
  }
  __syncthreads();
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    out[g] = 0;
#pragma unroll
    for (int warp = 0; warp < fused_threads / 32; ++warp) out[g] += sums[warp][g];
  }
}

/// Copies the entries of a row to shared memory, in their order; returns how many there are.
template <bool Half>
__device__ int take_row(const StoredTiles& stored, const TileEntries<Half>& entries,
                        std::int64_t row, int (&offset)[most_row_segments + 1], RowEntry* taken) {
  const TileGrid& grid = stored.grid;
  const std::int64_t first = stored.row_start[row];
  const int segments =
      static_cast<int>(min(stored.row_start[row + 1] - first, std::int64_t{most_row_segments}));
  if (threadIdx.x < 32) {
    int sum = 0;
    for (int base = 0; base < segments; base += 32) {
      const int k = base + lane_of_warp();
      int length = 0;
      if (k < segments) {
        const std::int64_t segment = stored.segment_of[first + k];
        length = stored.length(segment);
      }
      const int end = warp_prefix(length);
      if (k < segments) offset[k] = sum + end - length;
      sum += __shfl_sync(whole_warp, end, 31);
    }
    if (lane_of_warp() == 0) offset[segments] = sum;
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x / 32); k < segments; k += fused_threads / 32) {
    const int length = offset[k + 1] - offset[k];
    if (length == 0) continue;
    const std::int64_t segment = stored.segment_of[first + k], begin = stored.begin(segment);
    const int tile = stored.tile_of(segment);
    for (int i = lane_of_warp(); i < length; i += 32) {
      const auto entry = entries.stream(begin + i);
      const int line = entry.place() / grid.pitch,
                x = grid.left(tile) + entry.place() - line * grid.pitch,
                y = grid.bottom(tile) + line;
      taken[offset[k] + i] = {y * grid.nx + x, entry.weight()};
    }
  }
  __syncthreads();
  return offset[segments];
}

/// r = C (b - W x) and z[j, g] += w r[g r] of a stored row and all its images; squares[row] is the
/// sum of (b - W x)^2 over these. A block for each row; z has been cleared.
template <int Count, bool Half>
__global__ void __launch_bounds__(fused_threads)
    scsr_fused(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps,
               const typename Copies<Count, Half>::Word* __restrict__ image, Scale scale,
               FusedRays rays, float* __restrict__ z, double* __restrict__ squares) {
  extern __shared__ RowEntry taken[];
  __shared__ int offset[most_row_segments + 1];
  __shared__ float sums[fused_threads / 32][Count];
  const std::int64_t row = blockIdx.x;
  const int length = take_row(stored, entries, row, offset, taken);
  const std::size_t pixels = static_cast<std::size_t>(maps.nx) * maps.ny;
  float mine[Count] = {}, value[Count];
  for (int i = threadIdx.x; i < length; i += fused_threads)
    add_copies<Half>(taken[i].weight, image, pixels, static_cast<std::size_t>(taken[i].pixel),
                     mine);
  block_sums<Count>(mine, sums, value);

  const int v = static_cast<int>(row / stored.columns), c = static_cast<int>(row % stored.columns);
  const float unit = rays.unit * scale.back();
  double square = 0;
#pragma unroll
  for (int g = 0; g < Count; ++g) {
    const StoredView to = maps.image[8 * v + g];
    if (to.view < 0) {
      value[g] = 0;
      continue;
    }
    const std::size_t ray =
        static_cast<std::size_t>(to.view) * stored.columns + flipped(c, stored.columns, to.flip);
    const float residual = rays.b[ray] - unit * value[g];
    square += static_cast<double>(residual) * residual;
    value[g] = rays.weight != nullptr ? residual * rays.weight[ray] : residual;
    if (threadIdx.x == 0) rays.r[ray] = value[g];
  }
  if (threadIdx.x == 0) squares[row] = square;
  for (int i = threadIdx.x; i < length; i += fused_threads) {
    const RowEntry one = taken[i];
    float part[Count];
#pragma unroll
    for (int g = 0; g < Count; ++g) part[g] = one.weight * value[g];
    add_values<Count>(z + static_cast<std::size_t>(one.pixel) * Count, part);
  }
}

}  // namespace gantry::device
