#pragma once

// Launch shapes of the kernels beside cuSPARSE. How the numbers were chosen is not recorded;
// kernels that have no shape here are not tuned: the usual 256 threads (block_shape.hpp).
#include "gpu/device/block_shape.hpp"

namespace gantry::cusparse {

/// Pairs of slices that the lanes of a warp of half2_rows divide among themselves: the choices for
/// one pair, for few and for more pairs.
inline constexpr int one_pair = 1, few_pairs = 4, many_pairs = 16;
static_assert(32 % few_pairs == 0 && 32 % many_pairs == 0);

/// Threads of the kernels that build square blocks, and the words of the bit map of a portion of a
/// block row; each thread counts the same number of words.
inline constexpr int square_threads = 256, square_words = 1024, square_portion = 32 * square_words;
static_assert(is_block(square_threads) && square_words % square_threads == 0 &&
              2 * square_words * sizeof(int) < usual_shared_bytes);

}  // namespace gantry::cusparse
