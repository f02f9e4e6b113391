#pragma once

#include "core/projectors/separable_footprint/sf_kernels.hpp"

#include <vector>

namespace gantry {

/// Sums of the cells of one view, as SfKernels::forward and SfKernels::forward_pair add to them.
struct SfSums {
  std::vector<CellQuad> quads;
  std::vector<CellCounts> counts;

  /// Allocates the sums and sets them to zero.
  void start(int cells) {
    const std::size_t places = static_cast<std::size_t>(cells) + 2 * sf_padding;
    quads.assign(places, CellQuad{});
    counts.assign(places, CellCounts{});
  }
};

/// Sets rays[c] to the sum over all parts of a view of what was added to cell c; `unit` is the size
/// of a count of 1.
void store_sums(const std::vector<SfSums>& parts, double unit, int cells, float* rays);

/// Returns the sum over `count` padded rows, `stride` values apart, of the largest absolute value
/// of each row. The sum is not finite if one of the values is not.
float largest_line(const float* rows, int count, std::size_t stride);

}  // namespace gantry
