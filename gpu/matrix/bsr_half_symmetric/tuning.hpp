#pragma once

// Launch shapes of symmetric BSR on Tensor Cores. The shapes of the products (ImageLaunch) were the
// fastest of five for 1, 8 and 32 slices on an NVIDIA H200 (compute capability 9.0), the stacks of
// `gantry-cli bench matrices --case T1,T8,T32 --format bsr_half_symmetric`. How the other numbers
// were chosen is not recorded. Kernels that have no shape here are not tuned: the usual 256 threads
// (block_shape.hpp).
#include "gpu/device/block_shape.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"

namespace gantry::bsr_half_symmetric {

/// Arguments of device::ImageShape: warps per block, parts (shares) of an item, and entries or
/// pairs of tiles that are loaded at the same time where there are few rows.
struct ImageLaunch {
  int warps, shares, at_once;
};

// The side whose sums belong to one image each has few items with many entries, the other side has
// many items with few entries. `eights`: eights of operand rows that a warp holds.
constexpr ImageLaunch forward_to_images(int eights) {
  return eights >= 4 ? ImageLaunch{8, 8, 8} : ImageLaunch{16, 16, 4};
}
inline constexpr ImageLaunch forward_to_sums{8, 4, 4};
/// A volume has many groups.
inline constexpr ImageLaunch volume_forward{8, 4, 8};
inline constexpr ImageLaunch back_to_images{8, 8, 4};
inline constexpr ImageLaunch back_to_sums{8, 4, 4};

/// An item is divided among whole warps of a block; images_forward divides a group among pairs of
/// tiles first.
constexpr bool is_image_launch(const ImageLaunch& shape) {
  return is_block(32 * shape.warps) && shape.warps % shape.shares == 0 && shape.shares % 2 == 0 &&
         shape.at_once > 0;
}
static_assert(is_image_launch(forward_to_images(1)) && is_image_launch(forward_to_images(8)) &&
              is_image_launch(forward_to_sums) && is_image_launch(volume_forward) &&
              is_image_launch(back_to_images) && is_image_launch(back_to_sums));

/// The most eights of operand rows that a warp holds at the same time.
inline constexpr int most_eights = 8;

/// orbits_back and volume_back: warps of a block, of which each has a patch of an orbit, and pairs
/// of tiles that are loaded at the same time.
inline constexpr int orbit_warps = 8, orbit_threads = 32 * orbit_warps;
constexpr int orbit_pairs(int eights) { return eights <= 2 ? 4 : eights == 4 ? 2 : 1; }
/// In orbits_back, every patch of an orbit has a warp, and every pixel of these patches two
/// threads.
static_assert(is_block(orbit_threads) && orbit_warps == device::most_elements &&
              orbit_threads == 2 * device::most_elements * device::patch_pixels);
/// So many orbits per multiprocessor are enough to have a block per orbit; with fewer it is faster
/// to divide patches among warps and to fold in a separate kernel.
inline constexpr int enough_orbits = 4;

/// Parts of a slice of which find_part_magnitudes finds the largest magnitude: of a volume, and of
/// each slice of a stack.
inline constexpr int volume_parts = 256, stack_parts = 1024, fewest_parts = 8, most_parts = 128;
/// The longest line of a volume that a warp reads at a time.
inline constexpr int longest_line = 2048;

}  // namespace gantry::bsr_half_symmetric
