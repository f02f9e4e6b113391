#pragma once

// Launch shapes of SCSR. The sides of the tiles were the fastest of 32 .. 80 on an NVIDIA H200
// (compute capability 9.0); tests/bench/RESULTS.md has the times of `gantry-cli bench matrices
// --format scsr` with these shapes. How the other numbers were chosen is not recorded. Kernels that
// have no shape here are not tuned: the usual 256 threads (block_shape.hpp).
#include "gpu/device/block_shape.hpp"
#include "gpu/matrix/scsr/scsr_cone_model.hpp"

namespace gantry::scsr {

// ---- Single slices: stored views by tiles of the image

/// The side of a tile, in pixels.
template <bool Half>
constexpr int tile_size = Half ? 64 : 56;

/// An entry names its pixel by a slot of 16 bits, the spare slot included. The length of a segment
/// has 16 bits: a segment has at most the pixels of a tile.
constexpr bool fits_16_bits(int size) {
  return device::TileGrid::slots_of(size) < 65536 && size * size < 65536;
}
static_assert(fits_16_bits(tile_size<false>) && fits_16_bits(tile_size<true>));

/// Threads of scsr_forward, and how many of its blocks must fit on a multiprocessor. With pixels in
/// half precision, shared memory has space for three tiles; devices that take no more than 1024
/// threads cannot run three blocks.
inline constexpr int forward_threads = 512;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int most_resident_threads = 1024;
template <bool Half>
constexpr int forward_blocks = 2;
#else
inline constexpr int most_resident_threads = 1536;
template <bool Half>
constexpr int forward_blocks = Half ? 3 : 2;
#endif
static_assert(is_block(forward_threads) &&
              forward_threads * forward_blocks<false> <= most_resident_threads &&
              forward_threads * forward_blocks<true> <= most_resident_threads);

/// Threads of the kernels that process one view (scsr_views.cuh), and of scsr_colours: its sums in
/// shared memory let two blocks run on a multiprocessor, or one with the larger tiles of half
/// precision.
inline constexpr int view_threads = 512;
template <bool Half>
constexpr int colour_threads = Half ? 1024 : 512;
static_assert(is_block(view_threads) && is_block(colour_threads<false>) &&
              is_block(colour_threads<true>));

/// scsr_fused: threads, and the most segments of a stored ray, whose offsets lie in shared memory.
inline constexpr int fused_threads = 256, most_row_segments = 1024;
static_assert(is_block(fused_threads) &&
              (most_row_segments + 1) * sizeof(int) < usual_shared_bytes);

/// The pixels of a block of gather_image and fold_image, and those of each of its warps.
inline constexpr int image_width = 32, image_height = 8, warp_width = 8, warp_height = 4;
static_assert(image_width * image_height == usual_threads && warp_width * warp_height == 32 &&
              image_width % warp_width == 0 && image_height % warp_height == 0);

/// Blocks per multiprocessor of scsr_forward, so that all multiprocessors end at about the same
/// time, and of the kernels of one view.
inline constexpr int forward_blocks_in_all = 8, view_blocks_in_all = 2;

/// scsr_colours: about so many blocks and at most so many parts of the stored views of a tile. The
/// numbers are the same for every GPU, because the order of the sums depends on them.
inline constexpr int many_colour_blocks = 1024, most_colour_parts = 8;

/// Limits for products view by view (TiledViews), beyond which a pass over all stored views is
/// faster: 1 / share_of_views of all views, or most_single_views views for a transpose in a fixed
/// order, which takes a launch for each view.
inline constexpr int share_of_views = 4, most_single_views = 32;
/// The most slices of a stack in one pass over the stored views, which reads the matrix from memory
/// once for all of them.
inline constexpr int most_slices = 4;

/// The neighbouring columns of a block of dense_view_rays and dense_view_pixels: their entries of a
/// slot are as many bytes as the memory reads at least.
inline constexpr int dense_columns = 8;
static_assert(dense_columns * sizeof(float) == 32 && 32 % dense_columns == 0);

// ---- Cone beams

/// The rays of a block of cone_forward, a warp each: neighbouring columns by neighbouring rows.
inline constexpr int cone_columns = 4, cone_rows = 2;
static_assert(cone_columns * cone_rows == usual_warps);

/// Numbers of stored views in the arguments of a launch (ViewList), of 16 bits each.
inline constexpr int most_listed_views = 512;
/// Bits of a set of blocks of stored views (BlockSet), in words of 32 bits.
inline constexpr int most_view_blocks = 1024;
static_assert(most_view_blocks % 32 == 0);
/// The most stored views of a cone beam.
inline constexpr int most_stored_views = most_view_blocks * device::views_of_block;
static_assert(most_stored_views <= 65536);

// ---- Both

/// find_magnitude: values of a block, and blocks per multiprocessor at most.
inline constexpr int magnitude_values = 1024;
inline constexpr unsigned magnitude_blocks = 4;
/// Blocks per multiprocessor of the kernels that visit all entries of a matrix, grid by grid.
inline constexpr int entry_blocks = 8;

}  // namespace gantry::scsr
