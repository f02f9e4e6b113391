#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// The sparsity pattern of one view, as a picture of few dots: the rays of one detector row
/// downwards, the pixels of a slice across.
struct ViewSparsity {
  int view = 0;
  int width = 0, height = 0;         ///< dots; at most the numbers of pixels and of rays
  std::vector<std::uint32_t> count;  ///< [dot down][dot across]: nonzeros that the dot covers
  std::vector<std::uint32_t> row_nonzeros;  ///< [ray]: nonzeros of the matrix row, in all slices

  std::uint32_t at(int x, int y) const {
    return count[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)];
  }
};

/// Returns the pattern of a view in `width` x `height` dots: the weight of ray u and pixel p counts
/// in dot (floor(p width / pixels), floor(u height / rays)). Throws UsageError when the projector
/// gives no single weights, and Interrupted.
ViewSparsity view_sparsity(const Projector& weights, int view, int detector_row, int slice,
                           int width, int height, const Interrupt* interrupt = nullptr);

}  // namespace gantry
