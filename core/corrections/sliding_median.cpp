#include "core/corrections/sliding_median.hpp"

#include <algorithm>
#include <cstddef>

namespace gantry {

void SlidingMedian::apply(std::span<float> line) {
  const auto count = static_cast<std::ptrdiff_t>(line.size());
  if (count == 0 || window_ <= 1) return;
  const std::ptrdiff_t before = window_ / 2;
  padded_.clear();
  for (std::ptrdiff_t k = 0; k < count + window_ - 1; ++k) {
    std::ptrdiff_t at = (k - before) % (2 * count);
    if (at < 0) at += 2 * count;
    padded_.push_back(line[static_cast<std::size_t>(at < count ? at : 2 * count - 1 - at)]);
  }
  sorted_.assign(padded_.begin(), padded_.begin() + window_);
  std::ranges::sort(sorted_);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i > 0) {
      // Keeps the window sorted: values between the one removed and the one inserted move by one.
      const float leaves = padded_[static_cast<std::size_t>(i - 1)],
                  comes = padded_[static_cast<std::size_t>(i - 1 + window_)];
      const auto old = std::ranges::lower_bound(sorted_, leaves);
      if (comes >= leaves) {
        const auto place = std::lower_bound(old + 1, sorted_.end(), comes);
        *std::move(old + 1, place, old) = comes;
      } else {
        const auto place = std::lower_bound(sorted_.begin(), old, comes);
        std::move_backward(place, old, old + 1);
        *place = comes;
      }
    }
    line[static_cast<std::size_t>(i)] = sorted_[static_cast<std::size_t>(before)];
  }
}

}  // namespace gantry
