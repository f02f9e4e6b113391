#pragma once

// Launch shapes of the cone-beam distance-driven kernels. The shapes were the fastest of those
// tried on an NVIDIA H200 (compute capability 9.0) with `gantry-cli bench operators --case C` and
// `--case D`; other devices take the same ones. A device that wants others gets a set of its own
// here, chosen by its compute capability where distance_driven_3d.cu takes them.
#include "gpu/device/block_shape.hpp"

namespace gantry::dd_cone {

/// dd_cone_forward: a warp owns `cells` neighbouring cells by 32 * `rows` detector rows; a block
/// has `warps` warps, `warp_columns` of them side by side along the columns, the others on views
/// that follow each other.
struct ForwardShape {
  int cells, rows, warps, warp_columns;
  bool mirror;  ///< each lane also owns the rows that are as far from the detector's other end
  bool tall;    ///< a row may be higher than two voxels: any number of voxels is summed up
  bool ahead;   ///< the next voxel line is loaded while the present one is used
};

/// dd_cone_adjoint: a warp owns a line of 32 * `voxels` voxels along z; a block has
/// `lines_x` * `lines_y` warps.
struct AdjointShape {
  int voxels;
  int cells;  ///< most cells that a view lays over a voxel
  int lines_x, lines_y;
  bool mirror;  ///< each lane also owns the voxels that are as far from the volume's other end
  bool tall;    ///< a voxel may be higher than three rows
};

inline constexpr ForwardShape forward_tall{4, 1, 8, 2, false, true, false};
inline constexpr ForwardShape forward_mirror_few_rows{8, 1, 8, 1, true, false, false};  // to 128
inline constexpr ForwardShape forward_mirror{4, 4, 8, 2, true, false, true};
inline constexpr ForwardShape forward_few_rows{8, 1, 8, 1, false, false, false};  // to 32
inline constexpr ForwardShape forward_rows{8, 2, 8, 1, false, false, false};

/// The shapes of the transpose; `cells` is 4 or 8.
constexpr AdjointShape adjoint_tall(int cells) { return {1, cells, 2, 2, false, true}; }
constexpr AdjointShape adjoint_mirror(int voxels, int cells) {
  return {voxels, cells, 2, 2, true, false};
}
constexpr AdjointShape adjoint_plain(int voxels, int cells) {
  return {voxels, cells, 2, 2, false, false};
}
/// The shape for voxels that are much wider than a cell.
inline constexpr int most_cells = 32;
inline constexpr AdjointShape adjoint_wide{1, most_cells, 2, 1, false, true};
constexpr bool is_adjoint_block(const AdjointShape& shape) {
  return is_block(32 * shape.lines_x * shape.lines_y);
}
static_assert(is_adjoint_block(adjoint_tall(8)) && is_adjoint_block(adjoint_mirror(4, 8)) &&
              is_adjoint_block(adjoint_plain(4, 8)) && is_adjoint_block(adjoint_wide));

/// A step keeps one sum of squares per warp and view. Its memory is sized before a shape is chosen,
/// for the most warps that a view can have: `fewest_cells` columns by `fewest_rows` rows per warp,
/// and `most_warp_columns` warps of a block side by side, all but one of which may be idle in the
/// last block.
inline constexpr int fewest_cells = 4, fewest_rows = 32, most_warp_columns = 2;

constexpr bool suits_the_sums(const ForwardShape& shape) {
  return shape.cells >= fewest_cells && 32 * shape.rows >= fewest_rows &&
         shape.warp_columns <= most_warp_columns && shape.warps % shape.warp_columns == 0 &&
         is_block(32 * shape.warps);
}
static_assert(suits_the_sums(forward_tall) && suits_the_sums(forward_mirror_few_rows) &&
              suits_the_sums(forward_mirror) && suits_the_sums(forward_few_rows) &&
              suits_the_sums(forward_rows));

/// Block of the kernels of voxel_lines.cuh, which process voxel lines tile by tile.
inline constexpr unsigned tile_width = 32, tile_height = 8, tile_threads = tile_width * tile_height;
static_assert(is_block(tile_threads));

/// Blocks per multiprocessor of compact_reciprocals.
inline constexpr unsigned reciprocal_blocks = 8;

}  // namespace gantry::dd_cone
