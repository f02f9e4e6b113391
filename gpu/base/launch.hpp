#pragma once

#include "core/geometry/view_subset.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gantry {

/// Largest number of thread blocks along y or z of a launch.
constexpr int most_along_grid = 65535;
/// Largest number of views in a launch that has the views along a grid dimension.
constexpr int most_views_of_launch = 16384;
/// Largest size of the rearranged views that a backprojection holds at the same time, bytes.
constexpr std::size_t most_view_bytes = std::size_t{512} << 20U;

/// Returns the number of blocks of `per_block` elements that cover `count` elements.
inline unsigned blocks(std::int64_t count, std::int64_t per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

/// Returns how many of `views` views of `each_bytes` fit into `bytes`: at least 1, at most `most`.
inline int views_at_once(int views, std::size_t each_bytes, int most = most_views_of_launch,
                         std::size_t bytes = most_view_bytes) {
  return static_cast<int>(std::clamp<std::size_t>(bytes / each_bytes, 1,
                                                  static_cast<std::size_t>(std::min(most, views))));
}

/// Splits a subset into parts of at most `at_once` views and calls use(part) for each, in order.
template <class Use>
void for_parts(ViewSubset subset, int at_once, const Use& use) {
  for (int first = 0; first < subset.count; first += at_once)
    use(ViewSubset{subset.view(first), subset.stride, std::min(at_once, subset.count - first)});
}

/// Returns the kernels' description of a scan, restricted to the views of a subset.
template <class Scan>
Scan part_of(const Scan& scan, ViewSubset subset) {
  Scan part = scan;
  part.first_view = subset.first;
  part.view_stride = subset.stride;
  part.views = subset.count;
  return part;
}

}  // namespace gantry
