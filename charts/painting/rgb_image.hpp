#pragma once

#include "charts/painting/colour.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gantry {

/// A picture, [y][x][rgb] with rows from top to bottom: pixels[(y * width + x) * 3] is red.
struct RgbImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Rgb at(int x, int y) const {
    const auto i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x));
    return {pixels[i], pixels[i + 1], pixels[i + 2]};
  }
};

}  // namespace gantry
