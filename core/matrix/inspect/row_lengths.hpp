#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// Statistics of the number of nonzeros in the matrix rows of A, from all rays or a sample.
struct RowLengths {
  std::size_t rays = 0;                ///< rays of the scan
  std::size_t sampled = 0;             ///< rays whose weights were computed
  std::size_t empty = 0;               ///< sampled rays that miss the volume
  std::uint32_t longest = 0;           ///< nonzeros
  double mean = 0;                     ///< nonzeros
  std::uint32_t bin_width = 1;         ///< nonzeros; bin k holds k w .. (k + 1) w - 1
  std::vector<std::size_t> histogram;  ///< [bin]: rays, up to the bin of the longest matrix row
};

/// Returns the statistics of all rays if there are at most `most_rays`; else of about that many,
/// the rays in the middle of equal parts of the views, detector columns and detector rows. The
/// histogram has at most `most_bins` bins, of width 1, 2 or 5 x 10^n. Throws UsageError when the
/// projector gives no single weights, and Interrupted.
RowLengths row_lengths(const Projector& weights, std::size_t most_rays, int most_bins,
                       const Interrupt* interrupt = nullptr);

}  // namespace gantry
