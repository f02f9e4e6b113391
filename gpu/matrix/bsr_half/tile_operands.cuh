#pragma once

// Kernels that convert slices of floats to operands of halves, each slice scaled by a power of two
// of its own.
//
// pack_operand, block of 256: warp w has 32 positions x one slice tile (16 slices):
//
//                lane 0        lane 1       ...  lane 31
//   slice 0      position 0    position 1        position 31     -> stage[0][0 .. 31]
//   ...                                                             (shared memory, per warp
//   slice 15                                                     -> stage[15][0 .. 31]   and part)
//
//   then each lane reads its part of the fragments (tile_model.hpp) from stage and writes it.
//
// find_groups has a thread per group of 32 positions.
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

/// The halves of 32 positions of a slice tile before they are written as fragments; rows begin at
/// multiples of 8 bytes.
using OperandStage = __half[slice_tile][36];

__device__ inline uint2 pair_at(const OperandStage& stage, int row, int column) {
  return *reinterpret_cast<const uint2*>(&stage[row][column]);
}
__device__ inline unsigned word_at(const OperandStage& stage, int row, int column) {
  return *reinterpret_cast<const unsigned*>(&stage[row][column]);
}

/// Pixels as operand: fragments A of x^T as in tile_model.hpp, two patches per warp.
struct PixelOperand {
  const int* at;
  __device__ bool has(int) const { return true; }
  __device__ std::int64_t from(const SliceLayout& l, int index, int slice) const {
    return l.pixel(index, slice);
  }
  __device__ void store(const OperandStage& stage, std::int64_t portion, int tile, int tiles,
                        std::int64_t positions, __half* packed) const {
    const int lane = lane_of_warp(), g = lane / 4, t = lane % 4;
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      if (portion * 32 + k * patch_pixels >= positions) return;
      const uint2 low = pair_at(stage, g, k * patch_pixels + 4 * t),
                  high = pair_at(stage, g + 8, k * patch_pixels + 4 * t);
      reinterpret_cast<uint4*>(packed)[((portion * 2 + k) * tiles + tile) * 32 + lane] =
          make_uint4(low.x, high.x, low.y, high.y);
    }
  }
};
/// Rays as operand: a tile of 8 rays is half of a fragment A of y^T; four tiles per warp.
struct RayOperand {
  const int* at;
  ViewRange views;
  __device__ bool has(int index) const { return views.has(index); }
  __device__ std::int64_t from(const SliceLayout& l, int index, int slice) const {
    return l.ray(index, slice);
  }
  __device__ void store(const OperandStage& stage, std::int64_t portion, int tile, int tiles,
                        std::int64_t, __half* packed) const {
    const int lane = lane_of_warp(), g = lane / 4, t = lane % 4;
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) {
      const std::int64_t rays = portion * group_tiles + k;
      reinterpret_cast<uint2*>(packed)[(rays * tiles + tile) * 32 + lane] = make_uint2(
          word_at(stage, g, k * tile_rays + 2 * t), word_at(stage, g + 8, k * tile_rays + 2 * t));
    }
  }
};
/// An operand in the layout that WMMA loads: [position][slice].
template <class Operand>
struct PlainOperand : Operand {
  __device__ void store(const OperandStage& stage, std::int64_t portion, int tile, int tiles,
                        std::int64_t positions, __half* packed) const {
    const std::int64_t position = portion * 32 + lane_of_warp();
    if (position >= positions) return;
    for (int s = 0; s < slice_tile; ++s)
      packed[(position * tiles + tile) * slice_tile + s] = stage[s][lane_of_warp()];
  }
};

/// Writes the halves of all positions and slices, zeros in gaps; with two parts, the slice tiles of
/// the second part follow those of the first. Values are scaled by half_scale() times `headroom`. A
/// warp has 32 positions of a slice tile; 8 warps per
/// block.
template <int Parts, class Operand>
__global__ void __launch_bounds__(usual_threads)
    pack_operand(Operand operand, std::int64_t positions, SliceLayout layout,
                 const float* __restrict__ value, const int* __restrict__ bits, float headroom,
                 int tiles, __half* __restrict__ packed) {
  __shared__ __align__(8) OperandStage stages[usual_warps][Parts];
  auto& stage = stages[threadIdx.x / 32];
  const std::int64_t warp = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32,
                     portion = warp / tiles;
  const int tile = static_cast<int>(warp % tiles), lane = lane_of_warp();
  if (portion * 32 >= positions) return;
  const int at = portion * 32 + lane < positions ? operand.at[portion * 32 + lane] : -1;
  const bool there = at >= 0 && operand.has(at);
  const int mine = tile * slice_tile + lane % slice_tile;
  const float scale = mine < layout.slices ? half_scale(__int_as_float(bits[mine])) * headroom : 0;
  const float* const from = value + (there ? operand.from(layout, at, 0) : 0);
  const std::int64_t stride = operand.from(layout, 0, 1);
  float value_of[slice_tile];
#pragma unroll
  for (int row = 0; row < slice_tile; ++row) {
    const int slice = tile * slice_tile + row;
    value_of[row] = there && slice < layout.slices ? __ldg(from + slice * stride) : 0;
  }
#pragma unroll
  for (int row = 0; row < slice_tile; ++row) {
    const SplitHalf half(value_of[row] * __shfl_sync(whole_warp, scale, row));
    stage[0][row][lane] = half.high;
    if (Parts == 2) stage[Parts - 1][row][lane] = half.low;
  }
  __syncwarp();
#pragma unroll
  for (int part = 0; part < Parts; ++part)
    operand.store(stage[part], portion, part * tiles + tile, Parts * tiles, positions, packed);
}

/// Writes 1 for the groups of 32 positions with a ray in the views, otherwise 0. A thread per
/// group.
__global__ void find_groups(const int* __restrict__ ray_at, int groups, ViewRange views,
                            unsigned char* __restrict__ met) {
  const int group = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (group >= groups) return;
  bool any = false;
  for (int i = 0; i < group_rays; ++i) {
    const int ray = ray_at[std::int64_t{group} * group_rays + i];
    any = any || (ray >= 0 && views.has(ray));
  }
  met[group] = any ? 1 : 0;
}

}  // namespace gantry::device
