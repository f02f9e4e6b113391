#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// How many nonzeros the rows of A have, of all rays or of a sample.
struct RowLengths {
  std::size_t rays = 0;     ///< of the scan
  std::size_t sampled = 0;  ///< looked at
  std::size_t empty = 0;    ///< of these, those that miss the volume
  std::uint32_t longest = 0;
  double mean = 0;
  std::uint32_t bin_width = 1;         ///< nonzeros; bin k holds k w .. (k + 1) w - 1
  std::vector<std::size_t> histogram;  ///< rays, up to the bin of the longest
};

/// Looks at all rays where these are at most `most_rays`, else at rays in the middle of equal parts
/// of views, columns and rows: at most about that many. At most `most_bins` bins, of a width 1, 2
/// or 5 x 10^n. Throws UsageError when the projector gives no single weights, and Interrupted.
RowLengths row_lengths(const Projector& weights, std::size_t most_rays, int most_bins,
                       const Interrupt* interrupt = nullptr);

}  // namespace gantry
