#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// Assigns matrix rows to chunks of 32 (sliced ELL: slices), whose rows are padded to the longest.
/// Rows are sorted by length, longest first, within groups of equal size; rows of the same length
/// keep their order. A chunk has rows of one group alone.
struct RowChunks {
  int chunks_in_group = 0;          ///< chunks of a group
  std::vector<int> row;             ///< [chunk][lane], -1: none
  std::vector<std::int64_t> start;  ///< [chunk] first entry, counted per lane; and the end

  /// `row_start` is that of CSR; `group` matrix rows make a group.
  RowChunks(std::span<const std::int64_t> row_start, int group);
};

}  // namespace gantry
