#pragma once

// The transposed product for one volume; the forward product is images_forward
// (symmetric_tiles.cuh).
//
//   block b:   orbit b, a list of 8 or 16 patches: patch k is the image of patch 0 under element k
//   warp w:    patches w and, of 16, w + 8 of the list; a patch that is listed twice only once
//
//   shared:    lists[warp]                 tiles to load (TileList)
//              stage[k][..][pixel]         sums of patch k for each element
//
// Then warp w adds up, for the pixels of its patches, the sums of all elements: lanes 0 .. 15 those
// of even elements, lanes 16 .. 31 those of odd ones.
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_volume_model.hpp"
#include "gpu/matrix/bsr_half_symmetric/tuning.hpp"

namespace gantry::device {

/// Computes W^T V and folds it. The rays of the stored half of the detector's rows stay on their
/// side of the source's plane. Of a patch and its axial mirror image, one therefore has next to no
/// entries; the two are 8 apart in the list and belong to the same warp.
template <int Eights, bool Split, int AtOnce>
__global__ void __launch_bounds__(bsr_half_symmetric::orbit_threads)
    volume_back(TileIndex index, VolumeOrbitTables orbits, const void* __restrict__ operand,
                const unsigned char* __restrict__ met, VolumeVoxels side, SliceScales scales,
                float* __restrict__ out) {
  constexpr int F = fragments_of(Eights), rows = FragmentRows<Eights, Split>::count,
                slots = F * rows, warps = bsr_half_symmetric::orbit_warps;
  static_assert(slots == warps || slots == most_of_volume);
  __shared__ __align__(16) TileList lists[warps];
  __shared__ float stage[slots][F][rows][patch_pixels + 1];
  __shared__ int patch[slots], first[slots];
  const int warp = static_cast<int>(threadIdx.x / 32), lane = lane_of_warp(), t = lane % 4;
  if (threadIdx.x < slots)
    patch[threadIdx.x] = orbits.patch[static_cast<int>(blockIdx.x) * slots + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < slots) {
    int one = 0;
    while (patch[one] != patch[threadIdx.x]) ++one;
    first[threadIdx.x] = one;
  }
  __syncthreads();
#pragma unroll 1
  for (int k = warp; k < slots; k += warps) {
    float c[2][F][4] = {};
    if (patch[k] >= 0 && first[k] == k)
      sum_patch<Eights, Split, AtOnce>(index, operand, index.patch_start[patch[k]],
                                       index.patch_start[patch[k] + 1], met, Eights, 0, lists[warp],
                                       c);
#pragma unroll
    for (int f = 0; f < F; ++f)
#pragma unroll
      for (int n = 0; n < 2; ++n) stage_sums<rows, Split>(stage[k][f], 4 * t + 2 * n, c[n][f]);
  }
  __syncthreads();
  // Half of the lanes have the even elements of a patch's voxels, the other half the odd ones.
  const int pixel = lane % patch_pixels;
#pragma unroll 1
  for (int k = warp; k < slots; k += warps) {
    if (patch[k] < 0 || first[k] != k) continue;
    float sum = 0;
    for (int e = lane / patch_pixels; e < side.images.elements(); e += 2)
      sum += stage[first[orbits.slot[e * slots + k]]][e / rows][e % rows]
                  [orbits.pixel[e * patch_pixels + pixel]];
    sum += __shfl_xor_sync(whole_warp, sum, patch_pixels);
    const int j = index.pixel_at[std::int64_t{patch[k]} * patch_pixels + pixel];
    if (lane < patch_pixels && j >= 0) out[j] = sum * scales.of(0);
  }
}

}  // namespace gantry::device
