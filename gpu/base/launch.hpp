#pragma once

#include "core/geometry/view_subset.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gantry {

/// Blocks along y or z of a launch.
constexpr int most_along_grid = 65535;
/// Views of a launch that has them along its grid.
constexpr int most_views_of_launch = 16384;
/// Of views that a backprojection holds at once.
constexpr std::size_t most_view_bytes = std::size_t{512} << 20U;

/// Blocks of `per_block` that cover `count`.
inline unsigned blocks(std::int64_t count, std::int64_t per_block) {
  return static_cast<unsigned>((count + per_block - 1) / per_block);
}

/// How many of `views`, of `each_bytes`, go into so many bytes: at least 1, at most `most`.
inline int views_at_once(int views, std::size_t each_bytes, int most = most_views_of_launch,
                         std::size_t bytes = most_view_bytes) {
  return static_cast<int>(std::clamp<std::size_t>(bytes / each_bytes, 1,
                                                  static_cast<std::size_t>(std::min(most, views))));
}

/// Calls use(subset) on parts of a subset of at most `at_once` views, in order.
template <class Use>
void for_parts(ViewSubset subset, int at_once, const Use& use) {
  for (int first = 0; first < subset.count; first += at_once)
    use(ViewSubset{subset.view(first), subset.stride, std::min(at_once, subset.count - first)});
}

/// A scan as kernels see it, of the views of a subset alone.
template <class Scan>
Scan part_of(const Scan& scan, ViewSubset subset) {
  Scan part = scan;
  part.first_view = subset.first;
  part.view_stride = subset.stride;
  part.views = subset.count;
  return part;
}

}  // namespace gantry
