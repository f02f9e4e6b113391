#include "core/mapping/warp_counters.hpp"

#include "core/base/parallel_errors.hpp"

#include <algorithm>
#include <numeric>

namespace gantry {

namespace {

/// An access as one number, which sorts by step and then by voxel.
std::uint64_t key_of(const Access& access) {
  return std::uint64_t{access.step} << 32 | access.voxel;
}

/// Returns how many different keys a sorted list has.
template <class Key>
std::int64_t different(const std::vector<std::uint64_t>& sorted, const Key& key) {
  std::int64_t count = 0;
  for (std::size_t n = 0; n < sorted.size(); ++n)
    if (n == 0 || key(sorted[n]) != key(sorted[n - 1])) ++count;
  return count;
}

/// The accesses of warps that run at the same time, and those to a voxel that another of them
/// accesses in the same step, beyond the first.
struct GroupCount {
  std::int64_t accesses = 0, collisions = 0;
};
GroupCount count_group(const RaySteps& steps, std::span<const std::uint32_t> rays) {
  GroupCount count;
  std::vector<std::uint64_t> keys;  // those of a warp once, however many of its lanes have them
  for (std::size_t first = 0; first < rays.size(); first += lanes_of_warp) {
    if (steps.projector().interrupted()) return {};
    std::vector<Access> of_warp;
    steps.append(rays.subspan(first, std::min(lanes_of_warp, rays.size() - first)), of_warp);
    count.accesses += static_cast<std::int64_t>(of_warp.size());
    const auto begin = static_cast<std::ptrdiff_t>(keys.size());
    for (const Access& access : of_warp) keys.push_back(key_of(access));
    std::sort(keys.begin() + begin, keys.end());
    keys.erase(std::unique(keys.begin() + begin, keys.end()), keys.end());
  }
  std::ranges::sort(keys);
  count.collisions = static_cast<std::int64_t>(keys.size()) -
                     different(keys, [](std::uint64_t key) { return key; });
  return count;
}

}  // namespace

WarpCounters& WarpCounters::operator+=(const WarpCounters& other) {
  requests += other.requests;
  accesses += other.accesses;
  transactions += other.transactions;
  lines += other.lines;
  collisions += other.collisions;
  common += other.common;
  return *this;
}

std::size_t sampling_stride(std::size_t wanted, std::size_t period) {
  std::size_t stride = std::max<std::size_t>(1, wanted);
  while (std::gcd(stride, std::max<std::size_t>(1, period)) != 1) ++stride;
  return stride;
}

WarpCounters count_accesses(std::span<const Access> accesses, std::size_t voxels_of_segment) {
  std::vector<std::uint64_t> keys;
  keys.reserve(accesses.size());
  for (const Access& access : accesses) keys.push_back(key_of(access));
  std::ranges::sort(keys);
  // Keys of the step and the segment or line that a voxel lies in.
  const auto parts_of = [](std::size_t voxels) {
    return [voxels](std::uint64_t key) { return key >> 32 << 32 | (key & 0xFFFFFFFF) / voxels; };
  };
  WarpCounters count;
  count.accesses = static_cast<std::int64_t>(keys.size());
  count.requests = different(keys, [](std::uint64_t key) { return key >> 32; });
  count.transactions = different(keys, parts_of(voxels_of_segment));
  count.lines = different(keys, parts_of(segments_of_line * voxels_of_segment));
  count.collisions = count.accesses - different(keys, [](std::uint64_t key) { return key; });
  std::vector<std::uint32_t> voxels;
  voxels.reserve(accesses.size());
  for (const Access& access : accesses) voxels.push_back(access.voxel);
  std::ranges::sort(voxels);
  for (auto first = voxels.begin(); first != voxels.end();) {
    const auto last = std::upper_bound(first, voxels.end(), *first);
    const std::int64_t lanes = last - first;
    count.common += lanes * (lanes - 1) / 2;
    first = last;
  }
  return count;
}

WarpCounters count_warps(const RaySteps& steps, std::span<const std::uint32_t> rays,
                         std::size_t stride, std::size_t voxels_of_segment) {
  const std::size_t warps = (rays.size() + lanes_of_warp - 1) / lanes_of_warp,
                    counted = (warps + stride - 1) / stride;
  std::vector<WarpCounters> counts(counted);
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t n = 0; n < counted; ++n)
    errors.run([&] {
      if (steps.projector().interrupted()) return;
      const std::size_t first = n * stride * lanes_of_warp;
      std::vector<Access> accesses;
      steps.append(rays.subspan(first, std::min(lanes_of_warp, rays.size() - first)), accesses);
      counts[n] = count_accesses(accesses, voxels_of_segment);
    });
  errors.rethrow();
  steps.projector().check_interrupt();
  WarpCounters all;
  for (const WarpCounters& one : counts) all += one;
  return all;
}

double collisions_between_warps(const RaySteps& steps, std::span<const std::uint32_t> rays,
                                std::size_t at_once, std::size_t stride) {
  const std::size_t of_group = at_once * lanes_of_warp,
                    groups = (rays.size() + of_group - 1) / of_group,
                    counted = (groups + stride - 1) / stride;
  std::vector<GroupCount> counts(counted);
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t n = 0; n < counted; ++n)
    errors.run([&] {
      const std::size_t first = n * stride * of_group;
      counts[n] = count_group(steps, rays.subspan(first, std::min(of_group, rays.size() - first)));
    });
  errors.rethrow();
  steps.projector().check_interrupt();
  std::int64_t accesses = 0, collisions = 0;
  for (const GroupCount& count : counts) {
    accesses += count.accesses;
    collisions += count.collisions;
  }
  return accesses > 0 ? static_cast<double>(collisions) / static_cast<double>(accesses) : 0;
}

}  // namespace gantry
