#pragma once

// Launch shapes of BSR on Tensor Cores. The shapes of the products (TileLaunch) were the fastest of
// those tried for 32 slices on an NVIDIA H200 (compute capability 9.0), the stack of `gantry-cli
// bench matrices --case T32 --format bsr_half`. How the other numbers were chosen is not recorded.
// Kernels that have no shape here are not tuned: the usual 256 threads (block_shape.hpp).
#include "gpu/device/block_shape.hpp"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry::bsr_half {

/// Arguments of device::TileShape: warps per block, parts into which the entries of an item (a
/// group or a patch) are divided, blocks per multiprocessor, and steps by which tiles are fetched
/// ahead.
struct TileLaunch {
  int warps, shares, blocks, steps;
};
inline constexpr TileLaunch forward{4, 1, 4, 2};
inline constexpr TileLaunch back{8, 1, 2, 4};
/// Where there are too few patches to occupy all multiprocessors, four warps work on each patch.
inline constexpr TileLaunch shared_back{8, 4, 2, 4};
/// So many items (times passes over the slices) per multiprocessor are enough for a warp each.
inline constexpr int enough_items = 16;

/// The warps of an item that is divided synchronise with __syncthreads(), and so the parts must
/// divide the warps of a block.
constexpr bool is_tile_launch(const TileLaunch& shape) {
  return is_block(32 * shape.warps) && shape.warps % shape.shares == 0 && shape.blocks > 0 &&
         shape.steps > 0;
}
static_assert(is_tile_launch(forward) && is_tile_launch(back) && is_tile_launch(shared_back));

/// The products by half2 arithmetic, with enough items and with few, and the number of tiles by
/// which half2_forward fetches ahead.
inline constexpr TileLaunch half2{8, 1, 2, 1}, shared_half2{8, 8, 2, 1};
inline constexpr unsigned half2_ahead = 12;
static_assert(is_tile_launch(half2) && is_tile_launch(shared_half2) &&
              shared_half2.shares == shared_half2.warps);

/// Warps of the products by WMMA.
inline constexpr int wmma_warps = 8;
static_assert(is_block(32 * wmma_warps));

/// Blocks of count_tiles and fill_tiles, which go through so many patches of a group at a time.
inline constexpr int build_threads = 256, portion_words = 512, portion_patches = 32 * portion_words;
/// Each thread counts the same number of words; bit maps and counts (TilePortion) lie in shared
/// memory.
static_assert(is_block(build_threads) && portion_words % build_threads == 0 &&
              (device::group_tiles + 2) * portion_words * sizeof(unsigned) < usual_shared_bytes);
/// A warp adds up the counts of its lanes, a block those of its warps.
static_assert(device::group_rays % (build_threads / 32) == 0);

/// Blocks per multiprocessor of find_slice_magnitudes.
inline constexpr int magnitude_blocks = 8;

}  // namespace gantry::bsr_half
