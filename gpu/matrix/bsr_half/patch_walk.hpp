#pragma once

#include "core/matrix/tiles/block_order.hpp"
#include "core/operator/projector.hpp"

namespace gantry {

/// In which order groups of 32 rays go through patches: along the rays, column of patches by column
/// or row by row. Neighbouring groups are then at the same patches at the same time.
struct PatchWalk {
  std::vector<std::int32_t> position;  ///< [by rows][pixel] 16 times the patch's turn, and which
  std::vector<std::int32_t> patch_at;  ///< [by rows][turn]
  std::vector<unsigned char> by_rows;  ///< [group] 0 or 1
};

PatchWalk walk_patches(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels);

}  // namespace gantry
