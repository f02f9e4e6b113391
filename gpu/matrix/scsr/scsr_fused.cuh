#pragma once

// The iteration of cuART in one launch (Yu et al., J. Signal Process. Syst. 91 (2019) 321, eq. 9
// and Algorithm 2): a thread block copies the matrix row of a stored ray to shared memory, computes
// the residuals of all rays that the elements make of it, and backprojects these with the same
// copy. Additions to pixels are atomic and go to an array of their own, because other blocks still
// read the image.
//
//   scsr_fused: a block of 256 threads for each stored ray
//
//     shared memory   RowEntry taken[entries of the row]   pixel and weight
//                     int offset[segments + 1]             where the segments' entries begin
//                     float sums[8 warps][Count]
//
//     1. load_row_entries    warp 0 computes the offsets; warp w copies segments w, w + 8, ...
//     2. forward     thread t multiplies entries t, t + 256, ...; the block adds up Count sums
//     3. residuals   every thread computes all Count; thread 0 writes them and their squares
//     4. back        thread t adds entries t, t + 256, ... times the residuals to z
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_copies.cuh"
#include "gpu/matrix/scsr/scsr_residuals.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"
#include "gpu/matrix/scsr/tuning.hpp"

namespace gantry::device {

using scsr::fused_threads, scsr::most_row_segments;

/// An entry of the matrix row in shared memory, 8 bytes.
struct RowEntry {
  int pixel;
  float weight;
};

/// Returns the bytes of dynamic shared memory: the entries of the longest matrix row.
inline std::size_t fused_bytes(std::size_t longest) { return longest * sizeof(RowEntry); }

/// Adds each of the Count values `mine` over the threads of the block; all threads get the sums.
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

/// Copies the entries of a matrix row, which has at most most_row_segments segments, to shared
/// memory, in their order; returns their number.
template <bool Half>
__device__ int load_row_entries(const StoredTiles& stored, const TileEntries<Half>& entries,
                                std::int64_t row, int (&offset)[most_row_segments + 1],
                                RowEntry* taken) {
  const TileGrid& grid = stored.grid;
  const std::int64_t first = stored.row_start[row];
  const int segments = static_cast<int>(stored.row_start[row + 1] - first);
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

/// Computes r = C (b - W x) for a stored ray under all elements g that make a ray of it, adds the
/// weight times that residual to z[j, g], and writes squares[row], the sum of (b - W x)^2 over
/// these rays. The caller has cleared z.
template <int Count, bool Half>
__global__ void __launch_bounds__(fused_threads)
    scsr_fused(StoredTiles stored, TileEntries<Half> entries, StoredViewMaps maps,
               const typename Copies<Count, Half>::Word* __restrict__ image, Scale scale,
               FusedRays rays, float* __restrict__ z, double* __restrict__ squares) {
  extern __shared__ RowEntry taken[];
  __shared__ int offset[most_row_segments + 1];
  __shared__ float sums[fused_threads / 32][Count];
  const std::int64_t row = blockIdx.x;
  const int length = load_row_entries(stored, entries, row, offset, taken);
  const std::size_t pixels = static_cast<std::size_t>(maps.nx) * maps.ny;
  float mine[Count] = {}, value[Count];
  for (int i = threadIdx.x; i < length; i += fused_threads)
    add_copies<Half>(taken[i].weight, image, pixels, static_cast<std::size_t>(taken[i].pixel),
                     mine);
  block_sums<Count>(mine, sums, value);

  const int v = static_cast<int>(row / stored.columns), c = static_cast<int>(row % stored.columns);
  const float unit = rays.unit * scale.back();
  const double square =
      stored_ray_residuals<Count>(maps, v, c, rays, unit, threadIdx.x == 0, value);
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
