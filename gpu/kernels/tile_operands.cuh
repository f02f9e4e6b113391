#pragma once

// Operands of products by tiles: slices of floats as halves, each slice times its own power of two.
#include "gpu/kernels/row_selection.hpp"
#include "gpu/kernels/split_half.cuh"
#include "gpu/kernels/tile_model.hpp"
#include "gpu/kernels/warp.cuh"

#include <cuda_fp16.h>

namespace gantry::device {

/// Where values lie: [line][slice] or [slice][line], `length` of each.
struct SliceLines {
  std::int64_t line_stride, slice_stride;
  int length, lines, first, step;  ///< lines first, first + step, ...
};

/// bits[slice] = max |value| as an integer. What is not finite has no say. A warp a line at a time;
/// grid (any, slices), blocks of 256.
__global__ void __launch_bounds__(256)
    find_slice_magnitudes(const float* __restrict__ value, SliceLines of, int* __restrict__ bits) {
  float most = 0;
  for (int i = static_cast<int>(blockIdx.x * 8 + threadIdx.x / 32); i < of.lines;
       i += static_cast<int>(gridDim.x) * 8) {
    const float* line =
        value + (of.first + i * of.step) * of.line_stride + blockIdx.y * of.slice_stride;
#pragma unroll 8
    for (int k = lane_of_warp(); k < of.length; k += 32) {
      const float one = fabsf(__ldg(line + k));
      if (one <= 3.4e38F) most = fmaxf(most, one);
    }
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    most = fmaxf(most, __shfl_xor_sync(whole_warp, most, step));
  if (lane_of_warp() == 0 && most > 0) atomicMax(bits + blockIdx.y, __float_as_int(most));
}

/// 32 positions of a slice tile on their way; rows begin on words of 8 bytes.
using OperandStage = __half[slice_tile][36];

__device__ inline uint2 pair_at(const OperandStage& stage, int row, int column) {
  return *reinterpret_cast<const uint2*>(&stage[row][column]);
}
__device__ inline unsigned word_at(const OperandStage& stage, int row, int column) {
  return *reinterpret_cast<const unsigned*>(&stage[row][column]);
}

/// Pixels: fragments A of x^T as tile_model.hpp has them, two patches at a time.
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
          make_uint4(low.x, low.y, high.x, high.y);
    }
  }
};
/// Rays: halves of fragments A of y^T, four tiles at a time.
struct RayOperand {
  const int* at;
  ViewRange views;
  __device__ bool has(int index) const { return views.has(index); }
  __device__ std::int64_t from(const SliceLayout& l, int index, int slice) const {
    return l.ray(index, slice);
  }
  __device__ void store(const OperandStage& stage, std::int64_t portion, int tile, int tiles,
                        std::int64_t, __half* packed) const {
    const int lane = lane_of_warp(), g = lane / 4, t = lane % 4, together = tiles == 1 ? 1 : 2;
#pragma unroll
    for (int k = 0; k < group_tiles; ++k) {
      const std::int64_t rays = portion * group_tiles + k,
                         word = (rays * (tiles / together) + tile / together) * 32 + lane;
      reinterpret_cast<uint2*>(packed)[word * together + tile % together] = make_uint2(
          word_at(stage, g, k * tile_rays + 2 * t), word_at(stage, g + 8, k * tile_rays + 2 * t));
    }
  }
};
/// As WMMA loads matrices: [position][slice].
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

/// Halves of all positions and slices, zeros in gaps; with two parts the second's slice tiles
/// behind the first's. A warp has 32 positions of a slice tile, 8 a block.
template <int Parts, class Operand>
__global__ void __launch_bounds__(256)
    pack_operand(Operand operand, std::int64_t positions, SliceLayout layout,
                 const float* __restrict__ value, const int* __restrict__ bits, int tiles,
                 __half* __restrict__ packed) {
  __shared__ __align__(8) OperandStage stages[8][Parts];
  auto& stage = stages[threadIdx.x / 32];
  const std::int64_t warp = blockIdx.x * std::int64_t{8} + threadIdx.x / 32, portion = warp / tiles;
  const int tile = static_cast<int>(warp % tiles), lane = lane_of_warp();
  if (portion * 32 >= positions) return;
  const int at = portion * 32 + lane < positions ? operand.at[portion * 32 + lane] : -1;
  const bool there = at >= 0 && operand.has(at);
#pragma unroll 8
  for (int row = 0; row < slice_tile; ++row) {
    const int slice = tile * slice_tile + row;
    float scaled = 0;
    if (there && slice < layout.slices)
      scaled = value[operand.from(layout, at, slice)] * half_scale(__int_as_float(bits[slice]));
    const SplitHalf half(scaled);
    stage[0][row][lane] = half.high;
    if (Parts == 2) stage[Parts - 1][row][lane] = half.low;
  }
  __syncwarp();
#pragma unroll
  for (int part = 0; part < Parts; ++part)
    operand.store(stage[part], portion, part * tiles + tile, Parts * tiles, positions, packed);
}

/// 1 for the groups of 32 positions that any of the views has, else 0. A thread each.
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
