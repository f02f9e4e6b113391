#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// Returns a number of a frame of counts, [row][column], that another frame has only where it holds
/// the same values; nothing for a frame that could be repeated without a fault: fewer than 256
/// values, values that are no whole numbers, or less noise than a fifth of the values above or
/// below both neighbours in their row. (White noise has two thirds, a simulation without noise next
/// to none, however it is rounded.)
std::optional<std::uint64_t> picture_key(std::span<const float> values, std::size_t columns);

/// Returns the pairs of frames of the same key, each with the one before it that has it, in the
/// order of the frames; none where more than a tenth of the frames are such, which is a pattern,
/// unless all are.
std::vector<std::pair<int, int>> repeated_pictures(
    std::span<const std::optional<std::uint64_t>> keys);

}  // namespace gantry
