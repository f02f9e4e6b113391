#pragma once

// Tiles on their way from memory to a warp: they are asked for some steps before they are used, and
// wait in shared memory, so that the memory is never idle and no register holds what is not there
// yet.
#include "gpu/device/warp.cuh"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry::device {

/// Number of what is not there.
constexpr unsigned no_tile = ~0U;

/// A tile as it waits: 16 chunks of 16 bytes, half a ray each.
using TileSlot = uint4[16];

/// Queues copies of tiles to shared memory, a chunk a lane, or of zeros where there is no tile;
/// older devices wait for it. What goes by once is the first to leave the cache, where operands
/// stay.
class TileCopies {
 public:
  __device__ explicit TileCopies(const TileIndex& index)
      : from_(reinterpret_cast<const char*>(index.tile) + lane_of_warp() % 16 * 16) {
#if __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once_));
#endif
    asm volatile("" : "+l"(from_));  // kept, not computed anew for each tile
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
/// What was queued since the last end is a step.
__device__ inline void end_step() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/// Waits until at most `Steps` steps are under way; then all lanes see the others.
template <int Steps>
__device__ void wait_steps() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(Steps) : "memory");
#endif
  __syncwarp();
}

/// Where half a ray waits for load_turned: eight rays' halves lie in different banks.
__device__ inline int turned_chunk(int chunk) { return chunk ^ (chunk >> 3U & 1); }

/// Two tiles turned: fragments B of an 8 x 16 product of pixels and rays. {pixels 0 .. 7 of the
/// first tile's rays, 8 .. 15, the second's}. Chunks wait as turned_chunk has them.
__device__ inline uint4 load_turned(const TileSlot* two) {
  const int lane = lane_of_warp(), chunk = lane % 8 * 2 + lane / 8 % 2;
  uint4 b;
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
      : "=r"(b.x), "=r"(b.y), "=r"(b.z), "=r"(b.w)
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&two[lane / 16][turned_chunk(chunk)])))
      : "memory");
  return b;
}

}  // namespace gantry::device
