#pragma once

#include "core/matrix/tiles/block_order.hpp"
#include "core/operator/projector.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

// Block sparse rows (BSR) in tiles of 8 rays x 16 pixels: what a Tensor Core takes at once. Four
// tiles of rays are a group; a patch of 16 pixels that any of its rays meets is an entry of the
// group, which says in four bits which of the four tiles there are. Blocks of 16 or 32 rays are
// tiles that are stored together, whether all have nonzeros or not.

constexpr int tile_rays = 8, patch_pixels = 16, group_tiles = 4,
              group_rays = group_tiles * tile_rays, tile_weights = tile_rays * patch_pixels;
constexpr unsigned patch_bits = 28;  ///< of an entry; the tiles above

constexpr std::uint32_t tile_entry(std::uint32_t patch, std::uint32_t tiles) {
  return patch | tiles << patch_bits;
}
constexpr std::uint32_t patch_of(std::uint32_t entry) { return entry & ((1U << patch_bits) - 1); }
constexpr std::uint32_t tiles_of(std::uint32_t entry) { return entry >> patch_bits; }
/// Which tiles are stored where those of `met` have nonzeros, with blocks of 8, 16 or 32 rays.
constexpr std::uint32_t stored_tiles(std::uint32_t met, int block_rays) {
  if (block_rays == 8 || met == 0) return met;
  if (block_rays == 32) return 15;
  return ((met & 3U) != 0 ? 3U : 0U) | ((met & 12U) != 0 ? 12U : 0U);
}

/// How many blocks a matrix has in some order.
struct BlockCount {
  double nonzeros = 0, tiles_met = 0, pairs_met = 0, groups_met = 0;  ///< 8, 16, 32 rays
  double rows = 0, patches = 0;                                       ///< of all, padded

  /// NEB: blocks with a nonzero.
  double blocks(int block_rays) const {
    return block_rays == 8 ? tiles_met : block_rays == 16 ? pairs_met : groups_met;
  }
  /// Of all blocks that the matrix has.
  double share_of_blocks(int block_rays) const {
    return blocks(block_rays) * block_rays / (rows * patches);
  }
  /// Nonzeros in the weights stored.
  double fill(int block_rays) const {
    return nonzeros / (blocks(block_rays) * block_rays * patch_pixels);
  }
  /// Of a classical BSR matrix of halves: NEB (2 alpha beta + 4) + 4 (M / alpha + 1).
  double bsr_bytes(int block_rays) const {
    return blocks(block_rays) * (2.0 * block_rays * patch_pixels + 4) + 4 * (rows / block_rays + 1);
  }
};

/// Of one in `stride` groups, scaled to all. Gives way.
BlockCount count_blocks(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels,
                        int stride = 1);

/// The patches that the 32 rays from `first` on meet, ascending, each an entry with the tiles of
/// those rays that do.
std::vector<std::uint32_t> tile_entries(const std::vector<std::vector<std::uint32_t>>& patches);

ParamSpec block_size_param();
int block_rays_of(const std::string& name);

}  // namespace gantry
