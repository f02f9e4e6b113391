#pragma once

#include "core/matrix/tiles/block_order.hpp"
#include "core/operator/projector.hpp"

namespace gantry {

/// The order in which groups of 32 rays go through the patches: along the rays, either patch row by
/// patch row or patch column by patch column. Neighbouring groups then reach the same patches at
/// about the same time. Index 0 or 1 of `by_rows` selects columns or rows.
struct PatchWalk {
  std::vector<std::int32_t> position;  ///< [by rows][pixel] 16 times step of its patch + pixel in
                                       ///< it, or -1
  std::vector<std::int32_t> patch_at;  ///< [by rows][step] patch
  std::vector<unsigned char> by_rows;  ///< [group] 0 or 1
};

PatchWalk walk_patches(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels);

}  // namespace gantry
