#pragma once

#include "core/projectors/separable_footprint/sf_kernels.hpp"

#include <vector>

namespace gantry {

/// What the kernels add to the cells of one view, in their two ways.
struct SfSums {
  std::vector<CellQuad> quads;
  std::vector<CellCounts> counts;

  /// All zero.
  void start(int cells) {
    const std::size_t places = static_cast<std::size_t>(cells) + 2 * sf_padding;
    quads.assign(places, CellQuad{});
    counts.assign(places, CellCounts{});
  }
};

/// rays[c] = what all parts of a view have added to cell c; `unit` is what a count of 1 stands for.
void store_sums(const std::vector<SfSums>& parts, double unit, int cells, float* rays);

/// Largest sum, of absolute values, that takes one pixel from each of the padded rows; a number
/// that is not finite if there is one among them.
float largest_line(const float* rows, int count, std::size_t stride);

}  // namespace gantry
