#pragma once

#include "core/mapping/ray_walks.hpp"

#include <cstdint>
#include <span>

namespace gantry {

inline constexpr std::size_t lanes_of_warp = 32;

/// What the memory accesses of warps cost, counted by their addresses. Each lane of a warp walks
/// along one ray; in step k all lanes access the k-th voxel of their walks together, one float
/// each.
struct WarpCounters {
  std::int64_t requests = 0;      ///< steps of warps
  std::int64_t accesses = 0;      ///< voxels that lanes access in them
  std::int64_t transactions = 0;  ///< different segments of memory, summed over the requests
  std::int64_t collisions = 0;  ///< accesses to a voxel beyond the first of a request: the updates
                                ///< that are lost if stores race
  std::int64_t common = 0;      ///< voxels that two lanes of a warp have in common in any steps,
                                ///< summed over the pairs of lanes

  double transactions_per_request() const {
    return requests > 0 ? static_cast<double>(transactions) / static_cast<double>(requests) : 0;
  }
  /// The score of Li et al. (cuMBIR, section 5.2): of N accesses to one segment, N - 1.
  std::int64_t coalescing_score() const { return accesses - transactions; }
  WarpCounters& operator+=(const WarpCounters& other);
};

/// Counts a warp whose lanes walk along the given walks. `voxels_of_segment`: floats in a segment
/// of memory (8 in 32 bytes).
WarpCounters count_warp(const RayWalks& walks, std::span<const std::size_t> lanes,
                        std::size_t voxels_of_segment);

/// Counts the accesses of warps, of which each walks along 32 rays of a list, in the list's order.
/// Rays of no_ray are idle lanes. Every `stride`-th warp is counted. Throws Interrupted.
WarpCounters count_warps(const Projector& projector, std::span<const std::uint32_t> rays,
                         std::size_t stride = 1, std::size_t voxels_of_segment = 8);

/// Counts, for the same list, the accesses of different warps to one voxel in the same step, among
/// `at_once` successive warps that run at the same time and have begun together. Every `stride`-th
/// such group is counted. Returns the part of all accesses.
double collisions_between_warps(const Projector& projector, std::span<const std::uint32_t> rays,
                                std::size_t at_once, std::size_t stride = 1);

}  // namespace gantry
