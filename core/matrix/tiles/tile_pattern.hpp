#pragma once

#include "core/matrix/tiles/block_order.hpp"
#include "core/operator/projector.hpp"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace gantry {

// Block sparse rows (BSR) in tiles of 8 rays x 16 pixels, the operand of a Tensor Core instruction.
// 32 consecutive rays are a group, 16 consecutive pixels a patch (both in the order of
// block_order.hpp). A patch that any ray of a group meets is an entry of the group; four bits of
// the entry tell which of its four tiles are stored. A block of 16 or 32 rays is 2 or 4 tiles that
// are stored together if any of them has a nonzero.
//
//                patch p (16 pixels)
//   group g   +-------------------+
//   8 rays    | tile, bit 0       |  } block of 16  } block of 32
//   8 rays    | tile, bit 1       |  }              }
//   8 rays    | tile, bit 2       |  } block of 16  }
//   8 rays    | tile, bit 3       |  }              }
//             +-------------------+

constexpr int tile_rays = 8, patch_pixels = 16, group_tiles = 4,
              group_rays = group_tiles * tile_rays, tile_weights = tile_rays * patch_pixels;
constexpr unsigned patch_bits = 28;  ///< low bits of an entry; the four bits of the tiles follow

constexpr std::uint32_t tile_entry(std::uint32_t patch, std::uint32_t tiles) {
  return patch | tiles << patch_bits;
}
constexpr std::uint32_t patch_of(std::uint32_t entry) { return entry & ((1U << patch_bits) - 1); }
constexpr std::uint32_t tiles_of(std::uint32_t entry) { return entry >> patch_bits; }
/// Returns the bits of the tiles to store if the tiles `met` have nonzeros, with blocks of 8, 16 or
/// 32 rays.
constexpr std::uint32_t stored_tiles(std::uint32_t met, int block_rays) {
  if (block_rays == 8 || met == 0) return met;
  if (block_rays == 32) return 15;
  return ((met & 3U) != 0 ? 3U : 0U) | ((met & 12U) != 0 ? 12U : 0U);
}

/// Number of nonzeros and of blocks of a matrix in some order.
struct BlockCount {
  /// Nonzeros; blocks of 8, 16 and 32 rays with a nonzero.
  double nonzeros = 0, tiles_met = 0, pairs_met = 0, groups_met = 0;
  double rows = 0, patches = 0;  ///< rays and patches of all, padded

  /// Returns the number of blocks with a nonzero (NEB in the paper).
  double blocks(int block_rays) const {
    return block_rays == 8 ? tiles_met : block_rays == 16 ? pairs_met : groups_met;
  }
  /// Returns the bytes of a TileMatrix whose orders number `rays` rays and `pixels` pixels.
  double tile_bytes(int block_rays, std::size_t weight_bytes, std::size_t rays,
                    std::size_t pixels) const {
    const double groups = rows / group_rays, orders = rows + patches * patch_pixels;
    return blocks(block_rays) * block_rays * patch_pixels * static_cast<double>(weight_bytes) +
           16 * groups_met + 8 * (groups + patches + 2) +
           4 * (orders + static_cast<double>(rays + pixels));
  }
  /// Returns the fraction of all blocks of the matrix that have a nonzero.
  double fraction_of_blocks(int block_rays) const {
    return blocks(block_rays) * block_rays / (rows * patches);
  }
  /// Returns the fraction of the stored weights that are nonzeros.
  double fill(int block_rays) const {
    return nonzeros / (blocks(block_rays) * block_rays * patch_pixels);
  }
  /// Returns the bytes of a classical BSR matrix of halves: NEB (2 alpha beta + 4) + 4 (M / alpha +
  /// 1), with blocks of alpha rays x beta pixels and M rays.
  double bsr_bytes(int block_rays) const {
    return blocks(block_rays) * (2.0 * block_rays * patch_pixels + 4) + 4 * (rows / block_rays + 1);
  }
};

/// Counts the blocks of one in `stride` groups and scales the numbers to all groups. Throws
/// UsageError when the projector gives no single weights, and Interrupted.
BlockCount count_blocks(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels,
                        int stride = 1);

/// Returns the entries of a group, ascending: each patch that any of its 32 rays meets, with the
/// bits of the tiles whose rays meet the patch. patches[ray] are the patches that a ray meets.
std::vector<std::uint32_t> tile_entries(const std::vector<std::vector<std::uint32_t>>& patches);

ParamSpec block_size_param();
/// Returns the number of rays of a block, 8 for "8x16".
int block_rays_of(const std::string& name);

}  // namespace gantry
