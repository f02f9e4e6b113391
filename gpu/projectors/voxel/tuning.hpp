#pragma once

// Launch shapes of voxel-driven backprojection. How they were chosen is not recorded;
// tests/bench/RESULTS.md has the times of `gantry-cli bench operators --projector voxel_driven`
// with these shapes.
#include "gpu/projectors/common/tuning.hpp"
#include "gpu/projectors/voxel/voxel_model.hpp"

namespace gantry::voxel {

using shapes::LineShape;

/// A tile of voxel_spread, and the most slices of the volumes for which it is chosen. A tile is
/// about as high as the volume, so that all lanes are busy.
struct SpreadShape {
  LineShape tile;
  int most_slices;
};
inline constexpr SpreadShape spread_8{{1, 8, 32, 8}, 8}, spread_32{{8, 4, 8, 4}, 32},
    spread_64{{32, 2, 8, 1}, 64}, spread_128{{32, 4, 8, 1}, 128},
    spread_any{{32, 8, 8, 1}, shapes::longest_side};

/// The kernel keeps, beside the tile that LineTile transposes, a VoxelLine for each thread.
constexpr bool is_spread_shape(const SpreadShape& shape) {
  return is_line_shape(shape.tile) &&
         shape.tile.shared_bytes() +
                 sizeof(device::VoxelLine) * static_cast<std::size_t>(shape.tile.threads()) <=
             usual_shared_bytes;
}
static_assert(is_spread_shape(spread_8) && is_spread_shape(spread_32) &&
              is_spread_shape(spread_64) && is_spread_shape(spread_128) &&
              is_spread_shape(spread_any));
/// Tiles that are one line wide along y have too many blocks along y for the longest side of a
/// grid, where spread_32 serves volumes of any height.
static_assert(shapes::fits_grid(spread_8.tile.lines_y) &&
              shapes::fits_grid(spread_32.tile.lines_y));

/// Threads of row_to_voxel_values.
inline constexpr int value_threads = usual_threads;

/// Data of one launch, bytes. Blocks go through the views at about the same time and find the data
/// in the L2 cache, which limits the size; with less data per launch the volume would be read and
/// written too often.
inline constexpr std::size_t most_bytes = std::size_t{64} << 20U;

}  // namespace gantry::voxel
