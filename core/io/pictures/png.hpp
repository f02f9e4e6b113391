#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// Returns a PNG file of an eight-bit grey picture. The pixels are [row][column], the first row is
/// the top one. Needs width, height > 0 and width * height pixels. Throws std::bad_alloc. Source:
/// ISO/IEC 15948.
std::vector<std::byte> grey_png(int width, int height, std::span<const std::uint8_t> pixels);

}  // namespace gantry
