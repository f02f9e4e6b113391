#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gantry {

/// How rays are assigned to the threads of a GPU: 32 rays after another for each warp, no_ray where
/// a lane is idle. Warp w belongs to colour colour[w]; warps of one colour and one block follow
/// each other.
struct ThreadMapping {
  std::vector<std::uint32_t> rays;         ///< a multiple of 32, view after view
  std::vector<std::size_t> first_of_view;  ///< index of the first ray of each view; the end last
  std::vector<std::int32_t> colour;
  int colours = 0;  ///< the largest number of colours of a block
};

struct MappingOptions {
  /// Cells of a view that are mapped together. Blocks of detectors of fewer rows are wider.
  int columns_of_block = 64, rows_of_block = 64;
  std::size_t voxels_of_segment = 8;  ///< floats in a segment of memory: 32 bytes
  int seed = 1;
  bool metis = true;  ///< METIS makes the parts where this build has it; false: grown_parts()
};

/// Computes the thread mapping of Li et al. (cuMBIR, Proc. ICS 2018, algorithm 2), block by block:
/// - the collision graph of a block joins rays that weigh a voxel in common; it is coloured by
///   Welsh and Powell, so that rays of a colour have none in common;
/// - the coalescing graph of a colour joins rays that access a segment of memory in common, by
///   their number; it is partitioned into parts of about 32 rays, the warps. Parts that are too
///   large give rays to those that are too small; what is left over forms the last warps of the
///   colour, of which the last may have idle lanes. (The printed algorithm mixes the rays left over
///   of all colours, which would let rays of one warp collide.)
///
/// Views that are images of others by a symmetry of the scan, under which rows of voxels stay rows,
/// get the images of their warps. `progress` is called with the part done, and may throw. Throws
/// Interrupted; UsageError if the projector has no single weights, or 2^32 - 1 rays or voxels or
/// more.
ThreadMapping map_threads(const Projector& projector, const MappingOptions& options,
                          const std::function<void(double)>& progress);

}  // namespace gantry
