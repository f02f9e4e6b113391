#pragma once

#include "core/base/for_lines.hpp"

#include <algorithm>
#include <cstddef>

namespace gantry {

/// Calls work(first, last) for portions of `count` columns or ranks, by the threads that are free:
/// all of them for a single sinogram, one where several sinograms are corrected at a time.
template <class Work>
void in_portions(std::size_t count, const Work& work) {
  constexpr std::size_t portion = 16;
  const std::size_t portions = (count + portion - 1) / portion;
  for_lines(
      static_cast<std::ptrdiff_t>(portions), nullptr,
      [&](std::ptrdiff_t one) {
        const std::size_t first = static_cast<std::size_t>(one) * portion;
        work(first, std::min(count, first + portion));
      },
      static_cast<std::ptrdiff_t>(portions));
}

}  // namespace gantry
