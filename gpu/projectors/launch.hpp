#pragma once

#include "core/data/projection_data.hpp"

#include <algorithm>

namespace gantry {

/// Blocks along y or z of a launch.
constexpr int most_along_grid = 65535;

/// Blocks of `per_block` that cover `count`.
inline unsigned blocks(int count, int per_block) {
  return static_cast<unsigned>((static_cast<long>(count) + per_block - 1) / per_block);
}

/// Calls use(subset) on parts of a subset of at most `at_once` views, in order.
template <class Use>
void for_parts(ViewSubset subset, int at_once, const Use& use) {
  for (int first = 0; first < subset.count; first += at_once)
    use(ViewSubset{subset.view(first), subset.stride, std::min(at_once, subset.count - first)});
}

}  // namespace gantry
