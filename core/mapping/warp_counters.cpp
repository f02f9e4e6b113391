#include "core/mapping/warp_counters.hpp"

#include "core/base/parallel_errors.hpp"
#include "core/operator/row_access.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace gantry {

namespace {

std::size_t longest(const RayWalks& walks, std::span<const std::size_t> lanes) {
  std::size_t most = 0;
  for (const std::size_t lane : lanes) most = std::max(most, walks.walk(lane).size());
  return most;
}

/// Returns the walks of the rays of a part of a list, without idle lanes.
RayWalks walks_of_part(const Projector& projector, std::span<const std::uint32_t> rays) {
  std::vector<std::uint32_t> busy;
  for (const std::uint32_t ray : rays)
    if (ray != no_ray) busy.push_back(ray);
  return walks_of(projector, busy);
}

}  // namespace

WarpCounters& WarpCounters::operator+=(const WarpCounters& other) {
  requests += other.requests;
  accesses += other.accesses;
  transactions += other.transactions;
  collisions += other.collisions;
  common += other.common;
  return *this;
}

WarpCounters count_warp(const RayWalks& walks, std::span<const std::size_t> lanes,
                        std::size_t voxels_of_segment) {
  WarpCounters count;
  std::vector<std::uint32_t> at;
  const auto different = [&at] {
    std::ranges::sort(at);
    return std::unique(at.begin(), at.end()) - at.begin();
  };
  const std::size_t steps = longest(walks, lanes);
  for (std::size_t step = 0; step < steps; ++step) {
    at.clear();
    for (const std::size_t lane : lanes)
      if (const auto walk = walks.walk(lane); step < walk.size()) at.push_back(walk[step]);
    const auto accesses = static_cast<std::int64_t>(at.size());
    ++count.requests;
    count.accesses += accesses;
    count.collisions += accesses - different();
    for (std::uint32_t& voxel : at) voxel /= static_cast<std::uint32_t>(voxels_of_segment);
    count.transactions += different();
  }
  std::unordered_map<std::uint32_t, std::int64_t> visits;
  for (const std::size_t lane : lanes)
    for (const std::uint32_t voxel : walks.walk(lane)) ++visits[voxel];
  for (const auto& [voxel, n] : visits) count.common += n * (n - 1) / 2;
  return count;
}

WarpCounters count_warps(const Projector& projector, std::span<const std::uint32_t> rays,
                         std::size_t stride, std::size_t voxels_of_segment) {
  const std::size_t warps = (rays.size() + lanes_of_warp - 1) / lanes_of_warp,
                    counted = (warps + stride - 1) / stride;
  std::vector<WarpCounters> counts(counted);
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t n = 0; n < counted; ++n)
    errors.run([&] {
      if (projector.interrupted()) return;
      const std::size_t first = n * stride * lanes_of_warp;
      const RayWalks walks = walks_of_part(
          projector, rays.subspan(first, std::min(lanes_of_warp, rays.size() - first)));
      std::vector<std::size_t> lanes(walks.size());
      std::iota(lanes.begin(), lanes.end(), std::size_t{0});
      counts[n] = count_warp(walks, lanes, voxels_of_segment);
    });
  errors.rethrow();
  projector.check_interrupt();
  WarpCounters all;
  for (const WarpCounters& one : counts) all += one;
  return all;
}

double collisions_between_warps(const Projector& projector, std::span<const std::uint32_t> rays,
                                std::size_t at_once, std::size_t stride) {
  const std::size_t of_group = at_once * lanes_of_warp,
                    groups = (rays.size() + of_group - 1) / of_group;
  std::int64_t accesses = 0, collisions = 0;
  for (std::size_t group = 0; group < groups; group += stride) {
    projector.check_interrupt();
    const std::size_t first = group * of_group, last = std::min(rays.size(), first + of_group);
    // By step and voxel: the warp that was seen last, and how many warps there were.
    std::vector<std::unordered_map<std::uint32_t, std::pair<std::size_t, std::int64_t>>> seen;
    for (std::size_t warp = first; warp < last; warp += lanes_of_warp) {
      const RayWalks walks =
          walks_of_part(projector, rays.subspan(warp, std::min(lanes_of_warp, last - warp)));
      for (std::size_t n = 0; n < walks.size(); ++n) {
        const auto walk = walks.walk(n);
        if (seen.size() < walk.size()) seen.resize(walk.size());
        for (std::size_t step = 0; step < walk.size(); ++step) {
          ++accesses;
          auto& [by, warps] = seen[step].try_emplace(walk[step], warp, 0).first->second;
          if (warps > 0 && by != warp) ++collisions;
          by = warp;
          ++warps;
        }
      }
    }
  }
  return accesses > 0 ? static_cast<double>(collisions) / static_cast<double>(accesses) : 0;
}

}  // namespace gantry
