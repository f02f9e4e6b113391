#pragma once

#include "core/matrix/tiles/tile_pattern.hpp"

#include <vector>

namespace gantry {

/// The occupied blocks of a matrix in some order of rays and pixels, as an image: an image row
/// stands for consecutive rays, an image column for consecutive patches of pixels.
struct BlockOccupancy {
  int width = 0, height = 0;
  std::vector<float> share;  ///< [row][column]: fraction of the blocks there that hold a nonzero
};

/// Returns the occupancy of a scan of one slice by blocks of `block_rays` rays x 16 pixels, in an
/// image of at most `width` x `height`. Samples up to `groups_of_row` groups of 32 rays for each
/// image row. Throws UsageError when the projector gives no single weights, and Interrupted.
BlockOccupancy block_occupancy(const Projector& slice, BlockOrderKind order, int block_rays,
                               int width, int height, int groups_of_row = 8);

}  // namespace gantry
