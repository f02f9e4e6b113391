#pragma once

// Kernels for the operands of symmetric products: images of slices as halves, and sums over images.
//
//   find_part_magnitudes   block (part, slice): the lines of this part; warps as in slice_lines.cuh
//   pack_images            warp: 32 positions x eight operand rows; lane l has position l; the
//                          values pass through shared memory, stage[8 rows][32 positions] per part
//   find_image_groups      thread: a group of 32 rays
//   fold_images            thread: a position of one slice; sums over all elements
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/bsr_half/slice_lines.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"

namespace gantry::device {

/// Computes most[slice][part] = max |value| of a part of a slice. Grid (parts, slices), blocks of
/// 256.
__global__ void __launch_bounds__(usual_threads)
    find_part_magnitudes(const float* __restrict__ value, SliceLines of, float* __restrict__ most) {
  __shared__ float of_warp[usual_warps];
  float mine = largest_of_lines(value, of);
  if (lane_of_warp() == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
#pragma unroll
  for (int w = 1; w < usual_warps; ++w) mine = fmaxf(mine, of_warp[w]);
  most[blockIdx.y * gridDim.x + blockIdx.x] = mine;
}

/// The largest magnitudes of the parts of each slice, and of whole slices for the products.
struct PartMagnitudes {
  const float* part;
  int parts;
  float* most;  ///< [slice], written by pack_images

  /// Returns the magnitude of a slice. All lanes of a warp must call it.
  __device__ float of(int slice) const {
    float mine = 0;
    for (int i = lane_of_warp(); i < parts; i += 32)
      mine = fmaxf(mine, __ldg(part + slice * parts + i));
    return warp_max(mine);
  }
};

/// The halves of 32 positions of eight rows before they are written; rows begin at multiples of 8
/// bytes.
using EightStage = __half[eight][36];

__device__ inline void store_pixel_eight(const EightStage& stage, std::int64_t portion,
                                         std::int64_t positions, int eights, int which,
                                         __half* packed) {
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    if (portion * 32 + k * patch_pixels >= positions) return;
    reinterpret_cast<uint2*>(packed)[operand_word(portion * 2 + k, eights, which, lane, 2)] =
        *reinterpret_cast<const uint2*>(&stage[g][k * patch_pixels + 4 * t]);
  }
}
__device__ inline void store_ray_eight(const EightStage& stage, std::int64_t portion, int eights,
                                       int which, __half* packed) {
  const int lane = lane_of_warp(), g = lane / 4, t = lane % 4;
#pragma unroll
  for (int k = 0; k < group_tiles; ++k)
    reinterpret_cast<unsigned*>(
        packed)[operand_word(portion * group_tiles + k, eights, which, lane, 4)] =
        *reinterpret_cast<const unsigned*>(&stage[g][k * tile_rays + 2 * t]);
}

/// Computes, for each operand row (a slice as seen by an element), the value of the element's image
/// at each position, plus that of its opposite ray; 0 where the position does not own the element;
/// times the slice's power of two and `share`. A warp has 32 positions of eight rows, 8 warps per
/// block. Positions that no stored ray meets are left unwritten.
template <int Parts, class Side>
__global__ void __launch_bounds__(usual_threads)
    pack_images(Side side, std::int64_t positions, const float* __restrict__ value,
                PartMagnitudes magnitudes, float share, int eights, __half* __restrict__ packed) {
  __shared__ __align__(8) EightStage stages[usual_warps][Parts];
  auto& stage = stages[threadIdx.x / 32];
  const int lane = lane_of_warp(), of_slices = eights / Parts;
  const std::int64_t warp = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32,
                     portion = warp / of_slices, position = portion * 32 + lane;
  const int rows = static_cast<int>(warp % of_slices);
  if (portion * 32 >= positions || (portion > 0 && side.unseen(portion))) return;
  const bool there = position < positions;
  const unsigned owned = there ? side.owned[position] : 0;
  const auto at = side.place(there && owned != 0 ? side.at[position] : 0);
  float of_row[eight];
#pragma unroll
  for (int i = 0; i < eight; ++i) {
    const int row = rows * eight + i, slice = side.images.slice(row),
              element = side.images.element(row);
    of_row[i] = 0;
    if ((owned >> element & 1U) == 0 || slice >= side.layout.slices) continue;
    const auto image = side.image(element, at);
    if (side.wanted(image)) of_row[i] = __ldg(value + side.address(image, slice));
    if (!side.has_opposite(image)) continue;
    const auto opposite = side.opposite(image);
    if (side.wanted(opposite)) of_row[i] += __ldg(value + side.address(opposite, slice));
  }
  float scale = 0;
#pragma unroll
  for (int i = 0; i < eight; ++i) {
    const int row = rows * eight + i, slice = side.images.slice(row);
    if (i == 0 || side.images.element(row) == 0) {
      const float most = slice < side.layout.slices ? magnitudes.of(slice) : 0;
      scale = half_scale(most) * share;
      if (portion == 0 && lane == 0 && slice < side.layout.slices) magnitudes.most[slice] = most;
    }
    const SplitHalf half(of_row[i] * scale);
    stage[0][i][lane] = half.high;
    if (Parts == 2) stage[Parts - 1][i][lane] = half.low;
  }
  __syncwarp();
#pragma unroll
  for (int part = 0; part < Parts; ++part)
    if constexpr (Side::of_pixels)
      store_pixel_eight(stage[part], portion, positions, eights, rows * Parts + part, packed);
    else
      store_ray_eight(stage[part], portion, eights, rows * Parts + part, packed);
}

/// Writes 1 for the groups of 32 rays of which an image is in the views, otherwise 0. A thread per
/// group.
template <class Rays>
__global__ void find_image_groups(Rays rays, int groups, unsigned char* __restrict__ met) {
  const int group = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (group >= groups) return;
  bool any = false;
  for (int i = 0; i < group_rays; ++i) {
    const int ray = rays.at[std::int64_t{group} * group_rays + i];
    for (int e = 0; ray >= 0 && e < rays.images.elements(); ++e) {
      const auto image = rays.image(e, rays.place(ray));
      any = any || rays.wanted(image) ||
            (rays.has_opposite(image) && rays.wanted(rays.opposite(image)));
    }
  }
  met[group] = any ? 1 : 0;
}

/// Computes v[i] = sum over g of S[position(g^-1 i), g], with S as [row][position]. Blocks of 256
/// positions along x, slices along y.
template <class Side>
__global__ void __launch_bounds__(usual_threads)
    fold_images(Side side, const int* __restrict__ position_of, std::int64_t positions,
                const float* __restrict__ sums, float* __restrict__ out) {
  const std::int64_t position = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (position >= positions) return;
  const int index = side.at[position], slice = static_cast<int>(blockIdx.y);
  if (index < 0) return;
  const auto at = side.place(index);
  const float* of_slice = sums + (std::int64_t{slice} << side.images.shift) * positions;
  float sum = 0;
#pragma unroll 8
  for (int e = 0; e < side.images.elements(); ++e)
    sum +=
        of_slice[e * positions + position_of[side.index(side.image(side.images.inverse[e], at))]];
  if (side.wanted(at)) out[side.address(at, slice)] = sum;
  if (side.has_opposite(at) && side.wanted(side.opposite(at)))
    out[side.address(side.opposite(at), slice)] = sum;
}

}  // namespace gantry::device
