#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// Where the nonzeros of one view lie: its rows downwards, the pixels of a slice across, as a
/// picture of few dots. Rows are the rays of one line of detector cells.
struct ViewSparsity {
  int view = 0;
  int width = 0, height = 0;                ///< dots; at most the pixels and the rays there are
  std::vector<std::uint32_t> count;         ///< [dot down][dot across]: nonzeros beneath each dot
  std::vector<std::uint32_t> row_nonzeros;  ///< of every ray, in all slices

  std::uint32_t at(int x, int y) const {
    return count[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)];
  }
};

/// The view as seen through `width` x `height` dots: element (ray u, pixel p) lies beneath dot
/// (floor(p width / pixels), floor(u height / rays)). Throws UsageError when the projector gives no
/// single weights, and Interrupted.
ViewSparsity view_sparsity(const Projector& weights, int view, int detector_row, int slice,
                           int width, int height, const Interrupt* interrupt = nullptr);

}  // namespace gantry
