#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// How rows are put into slices of 32: sorted by length, longest first, inside groups of equal
/// size; rows of one length stay in order.
struct RowSlices {
  int slices_in_group = 0;
  std::vector<int> row;             ///< [slice][lane], -1: none
  std::vector<std::int64_t> start;  ///< of a slice, in entries of a lane; and the end

  /// `row_start` as in CSR; `group` rows make a group.
  RowSlices(std::span<const std::int64_t> row_start, int group);
};

}  // namespace gantry
