#pragma once

#include "core/matrix/tiles/tile_pattern.hpp"

#include <vector>

namespace gantry {

/// Where a matrix has blocks in some order, as an image: each pixel stands for some of the rays,
/// downwards, and some of the patches.
struct BlockOccupancy {
  int width = 0, height = 0;
  std::vector<float> share;  ///< [row][column] of the blocks there, those that hold a nonzero
};

/// Of blocks of `block_rays` x 16; looks at one group of rays for each row of the image at least,
/// and at `groups_of_row` where there are so many. Of a scan of one slice. Gives way.
BlockOccupancy block_occupancy(const Projector& slice, BlockOrderKind order, int block_rays,
                               int width, int height, int groups_of_row = 8);

}  // namespace gantry
