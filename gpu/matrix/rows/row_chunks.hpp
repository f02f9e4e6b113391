#pragma once

#include "core/matrix/nonzero_estimate.hpp"

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

/// Returns the number of chunks of all groups.
inline std::size_t chunks_of(const GroupLengths& lengths) {
  return lengths.groups * ((lengths.rows + 31) / 32);
}

/// Returns the estimated sum of of_chunk(longest) over all chunks; longest is the number of
/// nonzeros of the longest row of a chunk.
template <class OfChunk>
double sum_of_chunks(const GroupLengths& lengths, const OfChunk& of_chunk) {
  return lengths.sum([&](const auto& length) {
    double sum = 0;
    for (std::size_t i = 0; i < lengths.rows; i += 32) sum += of_chunk(length(i));
    return sum;
  });
}

}  // namespace gantry
