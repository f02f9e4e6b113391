#pragma once

// What kernels and the tuning.hpp of their folders assume of a block of threads.
#include <cstddef>

namespace gantry {

/// The most threads of a block, and the bytes of shared memory that a block gets without
/// cudaFuncAttributeMaxDynamicSharedMemorySize: the same on every supported device.
inline constexpr int most_block_threads = 1024;
inline constexpr std::size_t usual_shared_bytes = std::size_t{48} << 10U;

/// The block of kernels that are not tuned: the usual 256 threads.
inline constexpr int usual_threads = 256, usual_warps = usual_threads / 32;

/// Returns whether a block may have so many threads and they are whole warps.
constexpr bool is_block(int threads) {
  return threads > 0 && threads <= most_block_threads && threads % 32 == 0;
}
static_assert(is_block(usual_threads));

}  // namespace gantry
