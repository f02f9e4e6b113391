#pragma once

// Kinds of launch shapes that several projectors use, with what their kernels assume of them, and
// the shapes that several projectors share. The others are in the tuning.hpp of each folder. None
// of the shapes here is tuned.
#include "gpu/base/launch.hpp"
#include "gpu/device/block_shape.hpp"

namespace gantry::shapes {

/// The most voxels along a side of a grid, and detector columns and rows (VolumeGrid and ScanSpec
/// refuse more).
inline constexpr int longest_side = 65536;
/// Returns whether a side that is divided among blocks of so many elements fits into a launch that
/// has the side along its y or z.
constexpr bool fits_grid(int of_block) { return longest_side / of_block <= most_along_grid; }

/// A forward kernel of rays, in blocks of ray_threads threads: `lanes` neighbouring threads of a
/// warp have neighbouring detector rows of a column, `rows` rows each.
struct RayShape {
  int lanes, rows;
  constexpr int rows_of_block() const { return lanes * rows; }
};
inline constexpr int ray_threads = 128;
constexpr bool is_ray_shape(const RayShape& shape) {
  return is_block(ray_threads) && 32 % shape.lanes == 0 && fits_grid(shape.rows_of_block());
}

/// A backprojection by LineTile: `lanes` threads of a warp work on a voxel line along z, `voxels`
/// voxels each; a block has lines_x x lines_y lines.
struct LineShape {
  int lanes, voxels, lines_x, lines_y;
  constexpr int threads() const { return lanes * lines_x * lines_y; }
  /// Returns the bytes of shared memory of LineTile::Storage.
  constexpr std::size_t shared_bytes() const {
    return sizeof(float) * static_cast<std::size_t>(lines_x * lines_y * (lanes + 1));
  }
};
/// The kernel synchronises the lanes of a line as a part of a warp.
constexpr bool is_line_shape(const LineShape& shape) {
  return is_block(shape.threads()) && 32 % shape.lanes == 0 &&
         shape.shared_bytes() <= usual_shared_bytes && fits_grid(shape.lanes * shape.voxels);
}

/// Backprojections by LineTile for more than many_slices slices, more than few_slices, and others.
inline constexpr int many_slices = 64, few_slices = 8;
inline constexpr LineShape adjoint_many_slices{32, 4, 4, 2}, adjoint_slices{32, 1, 4, 2},
    adjoint_few_slices{4, 2, 8, 8};
static_assert(is_line_shape(adjoint_many_slices) && is_line_shape(adjoint_slices) &&
              is_line_shape(adjoint_few_slices) && fits_grid(adjoint_slices.lines_y) &&
              fits_grid(adjoint_many_slices.lines_y) && fits_grid(adjoint_few_slices.lines_y) &&
              adjoint_few_slices.lanes * adjoint_few_slices.voxels >= few_slices);

/// Threads of kernels with a thread for each detector column of a view.
inline constexpr int column_threads = 128;
static_assert(is_block(column_threads));

/// The block of kernels with a thread for each pixel of a slice; a warp has pixels of one line.
inline constexpr int pixel_columns = 32, pixel_lines = 8,
                     pixel_threads = pixel_columns * pixel_lines;
static_assert(is_block(pixel_threads) && fits_grid(pixel_lines));

}  // namespace gantry::shapes
