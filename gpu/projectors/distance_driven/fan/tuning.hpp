#pragma once

// Launch shapes of the 2D distance-driven kernels, and the sizes by which the plan divides products
// into launches. How most of them were chosen is not recorded; tests/bench/RESULTS.md has the times
// of `gantry-cli bench operators --projector distance_driven --case A,A-any,A32,B2048` with these
// numbers on an NVIDIA H200 (compute capability 9.0).
#include "gpu/device/block_shape.hpp"

namespace gantry::dd_fan {

/// Lanes of a warp, which own the edges of its cells or pixels, and the number of those.
inline constexpr int lanes = 32, per_warp = lanes - 1;

/// Warps that a multiprocessor can hold, by compute capability.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int most_warps = 32;
#elif defined(__CUDA_ARCH__) && \
    (__CUDA_ARCH__ / 10 == 86 || __CUDA_ARCH__ / 10 == 89 || __CUDA_ARCH__ >= 1200)
inline constexpr int most_warps = 48;
#else
inline constexpr int most_warps = 64;
#endif
/// Warps that a multiprocessor is to hold at once. This bounds the registers of a lane: 48 with one
/// Value (40 warps), 64 with two (32 warps).
template <int Quads>
constexpr int resident_warps = Quads == 1 && most_warps >= 40 ? 40 : 32;
/// Returns whether a block of a kernel with so many warps can be resident.
template <int Quads>
constexpr bool is_resident(int warps) {
  return is_block(32 * warps) && warps <= resident_warps<Quads>;
}

// ---- Prefix sums

/// Warps of a block of the kernels that make prefix sums: each has a line of its own, or one of the
/// at most most_line_parts parts of the block's line, whose sums lie in shared memory.
inline constexpr int line_warps = 4, most_line_parts = 8;
static_assert(is_block(32 * line_warps) && is_block(32 * most_line_parts));
/// Lines per multiprocessor below which each line is divided among several warps.
inline constexpr int enough_lines = 8;

// ---- Forward product

/// dd_fan_forward: views of a block, a warp each.
constexpr int forward_warps(bool both_kinds, int quads) { return both_kinds && quads == 1 ? 8 : 4; }
static_assert(is_resident<1>(forward_warps(true, 1)) && is_resident<2>(forward_warps(true, 2)));

/// dd_fan_forward_shared: views of a block, and the warps among which the layers of each are
/// divided.
struct SharedShape {
  int views, shares;
  constexpr int warps() const { return views * shares; }
};
/// forward_few serves products with fewer than few_warps warps per multiprocessor, forward_some
/// those with fewer than some_warps(width). `width` counts the floats of a Value.
inline constexpr int few_warps = 4;
constexpr int some_warps(int width) { return width == 1 ? 32 : 16; }
inline constexpr SharedShape forward_few{1, 16}, forward_some{1, 4};
/// With one float per lane, a view is always divided between two warps, so that more warps run at
/// once.
constexpr SharedShape forward_single(int warps) { return {warps, 2}; }
static_assert(is_resident<2>(forward_few.warps()) && is_resident<2>(forward_some.warps()) &&
              is_resident<1>(forward_single(forward_warps(true, 1)).warps()));

/// Slices that the forward product of a stack takes at once (dd_fan_wide.cuh): groups of
/// worth_a_wide_pass slices or more are faster so, if there are enough_wide_warps warps per
/// multiprocessor. Groups have half as many slices, and so on down to fewest_group_slices, where
/// memory is short.
inline constexpr int wide_slices = 32, worth_a_wide_pass = 28, enough_wide_warps = 4,
                     fewest_group_slices = 8;
/// What a block of dd_fan_sum_image_wide owns: four layers of eight slices, in chunks of
/// wide_sum_warps * wide_sum_pixels pixels.
inline constexpr int wide_sum_lines = 4, wide_sum_slices = 32 / wide_sum_lines,
                     wide_sum_pixels = 32, wide_sum_warps = 16;
static_assert(is_block(32 * wide_sum_warps) && wide_sum_lines * wide_sum_slices == 32 &&
              wide_slices % wide_sum_slices == 0 && wide_sum_pixels % 16 == 0 &&
              wide_sum_warps * 32 * (17 + 1) * sizeof(float) <= usual_shared_bytes);

/// dd_fan_forward_wide: views of a block, a warp each; lanes that read an edge, four slices each;
/// edges of a lane and of a warp. Fewer edges per lane and more warps at a time (4 edges with 24 or
/// 32 warps on a multiprocessor) are a little slower.
inline constexpr int wide_warps = 8, wide_quads = wide_slices / 4, lane_edges = 8,
                     wide_edges = 32 / wide_quads * lane_edges, wide_resident_warps = 16;
/// At the end each lane owns the cell above an edge. Weights and sums lie in shared memory.
static_assert(wide_edges == 32 && is_block(32 * wide_warps) && wide_warps <= wide_resident_warps &&
              wide_warps * (lane_edges * 33 * 4 + 32) * sizeof(float) <= usual_shared_bytes);

// ---- Transpose

/// dd_fan_adjoint, and dd_fan_adjoint_rows for single floats: warps of a block, and layers of a
/// warp.
struct AdjointShape {
  int warps, rows;
};
inline constexpr AdjointShape adjoint{8, 1}, adjoint_single{4, 4};
static_assert(is_resident<2>(adjoint.warps) && is_resident<1>(adjoint_single.warps) &&
              adjoint.rows == 1);

/// Views of a launch, which are parameters of the kernel (FanViews).
inline constexpr int most_launch_views = 384;

/// Warps per multiprocessor that are enough for a launch, and for each of two passes at a time.
/// With fewer, the views are divided into at most most_view_parts parts of at least
/// fewest_views_of_part views.
inline constexpr int enough_warps = 192, enough_warps_of_pass = 64;
inline constexpr int most_view_parts = 4, fewest_views_of_part = 24;
/// Bands have a multiple of so many layers, except for the last. Of a symmetric scan, the image is
/// divided into at most most_ring_classes classes of rings.
inline constexpr int band_layers = 32, most_ring_classes = 16;

/// A block of dd_fan_fold adds up fold_tile x fold_tile pixels with fold_tile x fold_rows threads.
/// A row of the tile is a warp, which has a partial sum of the norm of its own.
inline constexpr int fold_tile = 32, fold_rows = 8;
static_assert(fold_tile == 32 && is_block(fold_tile * fold_rows) && fold_tile % fold_rows == 0);

/// The block that adds up partial sums of norms.
inline constexpr int sum_threads = 256;
static_assert(is_block(sum_threads));

}  // namespace gantry::dd_fan
