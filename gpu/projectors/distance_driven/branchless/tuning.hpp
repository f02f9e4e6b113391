#pragma once

// Launch shapes of the branchless distance-driven variants. GPU-BZ adds up line_voxels voxels of a
// line in a thread as published (Liu et al. 2017). How the others were chosen is not recorded;
// `gantry-cli study branchless-dd --part times` measures them all (tests/bench/RESULTS.md).
#include "gpu/projectors/common/tuning.hpp"

namespace gantry::dd_branchless {

/// Neighbouring voxels of a line in a thread of the backprojection: of GPU-BZ and of the others.
inline constexpr int line_voxels = 16, group_voxels = 8;
static_assert(shapes::fits_grid(line_voxels) && shapes::fits_grid(group_voxels));

/// The rays of a block of the forward product: columns by rows.
inline constexpr int ray_columns = 32, ray_rows = 8;
static_assert(is_block(ray_columns * ray_rows) && shapes::fits_grid(ray_rows));

/// Rows of a block of the kernels that have a warp for each row of an image or of a table; a warp
/// adds up 32 elements at a time by shuffles.
inline constexpr int image_rows = 8;
static_assert(is_block(32 * image_rows));
/// Threads of sum_along_columns, which has a thread for each column of a table.
inline constexpr int sum_threads = usual_threads;

/// Layers of a texture; images that kernels read from memory may be as many as fit there.
inline constexpr int most_texture_layers = 2048, most_images_in_memory = 1 << 20;
/// Tables of a texture that are made at a time before they are copied to it, bytes.
inline constexpr std::size_t texture_part_bytes = std::size_t{64} << 20U;

}  // namespace gantry::dd_branchless
