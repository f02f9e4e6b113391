#pragma once

#include "core/mapping/ray_steps.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

inline constexpr std::size_t lanes_of_warp = 32;
inline constexpr std::size_t segments_of_line = 4;  ///< a cache line of 128 bytes has 4 of 32 bytes

/// What the memory accesses of warps cost, counted by their addresses, one float each.
struct WarpCounters {
  std::int64_t requests = 0;      ///< steps of warps in which some lane accesses a voxel
  std::int64_t accesses = 0;      ///< voxels that lanes access in them
  std::int64_t transactions = 0;  ///< different segments of memory, summed over the requests
  std::int64_t lines = 0;         ///< different lines of four segments, summed over the requests
  std::int64_t collisions = 0;  ///< accesses to a voxel beyond the first of a request: the updates
                                ///< that are lost if stores race
  std::int64_t common = 0;      ///< voxels that two lanes of a warp have in common in any steps,
                                ///< summed over the pairs of lanes

  double transactions_per_request() const { return per_request(transactions); }
  double lines_per_request() const { return per_request(lines); }
  /// The part of the accesses whose updates are lost if stores race.
  double lost() const {
    return accesses > 0 ? static_cast<double>(collisions) / static_cast<double>(accesses) : 0;
  }
  /// The score of Li et al. (cuMBIR, section 5.2): of N accesses to one segment, N - 1.
  std::int64_t coalescing_score() const { return accesses - transactions; }
  WarpCounters& operator+=(const WarpCounters& other);

 private:
  double per_request(std::int64_t count) const {
    return requests > 0 ? static_cast<double>(count) / static_cast<double>(requests) : 0;
  }
};

/// Returns the least stride from `wanted` on that has no divisor in common with `period`, so that
/// every stride-th of many warps (or groups) takes turns through all places of a view of `period`.
std::size_t sampling_stride(std::size_t wanted, std::size_t period);

/// Counts the accesses of the lanes of a warp. `voxels_of_segment`: floats in a segment of memory
/// (8 in 32 bytes).
WarpCounters count_accesses(std::span<const Access> accesses, std::size_t voxels_of_segment);

/// Counts the accesses of warps, of which each traces 32 rays of a list, in the list's order. Rays
/// of no_ray are idle lanes. Every `stride`-th warp is counted. Throws Interrupted.
WarpCounters count_warps(const RaySteps& steps, std::span<const std::uint32_t> rays,
                         std::size_t stride = 1, std::size_t voxels_of_segment = 8);

/// Counts, for the same list, the accesses of different warps to one voxel in the same step, among
/// `at_once` successive warps that run at the same time and have begun together. Every `stride`-th
/// such group is counted. Returns the part of all accesses. Throws Interrupted.
double collisions_between_warps(const RaySteps& steps, std::span<const std::uint32_t> rays,
                                std::size_t at_once, std::size_t stride = 1);

}  // namespace gantry
