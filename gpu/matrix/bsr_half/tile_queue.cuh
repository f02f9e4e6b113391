#pragma once

// Copies of tiles from memory to a warp, some steps ahead of their use: tiles wait in shared
// memory, so that the memory is always busy and no registers are needed for tiles in transit.
//
//   slot (TileSlot) of 256 bytes: 16 chunks of 16 bytes; chunk 2 r + h: pixels 8 h .. 8 h + 7 of
//   ray r. Lanes 0 .. 15 copy the chunks of one tile, lanes 16 .. 31 those of a second tile.
//
//   step s      s + 1    s + 2  ...  in flight (cp.async groups)
//   used now    wait_steps(n): at most n steps are still in flight
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry::device {

/// Index of a tile that is not stored.
constexpr unsigned no_tile = ~0U;

/// A tile in shared memory: 16 chunks of 16 bytes, half a ray each.
using TileSlot = uint4[16];

/// Starts copies of tiles to shared memory, one chunk per lane, or of zeros where no tile is
/// stored; devices before compute capability 8.0 copy at once. Tiles are read only once and
/// therefore leave the cache first, in favour of operands.
class TileCopies {
 public:
  __device__ explicit TileCopies(const TileIndex& index)
      : from_(reinterpret_cast<const char*>(index.tile) + lane_of_warp() % 16 * 16) {
#if __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once_));
#endif
    asm volatile("" : "+l"(from_));  // keeps the address in registers
  }
  __device__ void copy(uint4* to, unsigned tile) const {
    const bool there = tile != no_tile;
    const char* from = from_ + std::size_t{tile} * sizeof(TileSlot);
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "r"(there ? 16 : 0), "l"(once_)
                 : "memory");
#else
    *to = there ? __ldcs(reinterpret_cast<const uint4*>(from)) : make_uint4(0, 0, 0, 0);
#endif
  }

 private:
  const char* from_;
  std::uint64_t once_ = 0;
};
/// Ends a step, which consists of the copies started since the last end.
__device__ inline void end_step() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most `Steps` steps are in flight, then synchronises the warp so that all lanes
/// see the copies.
template <int Steps>
__device__ void wait_steps() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Steps) : "memory");
#endif
  __syncwarp();
}

/// Returns the index at which load_transposed expects a chunk, chosen so that the halves of eight
/// rays lie in different banks.
__device__ inline int transposed_chunk(int chunk) { return chunk ^ (chunk >> 3U & 1); }

/// Loads two tiles, transposed: fragments B of two products over 16 rays (8 of each tile). Returns
/// {pixels 0 .. 7 of the first tile, pixels 8 .. 15 of the first, then the same of the second}.
/// Chunks must be stored at transposed_chunk.
__device__ inline uint4 load_transposed(const TileSlot* two) {
  const int lane = lane_of_warp(), chunk = lane % 8 * 2 + lane / 8 % 2;
  uint4 b;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(b.x), "=r"(b.y), "=r"(b.z), "=r"(b.w)
               : "r"(static_cast<unsigned>(
                   __cvta_generic_to_shared(&two[lane / 16][transposed_chunk(chunk)])))
               : "memory");
  return b;
}

}  // namespace gantry::device
