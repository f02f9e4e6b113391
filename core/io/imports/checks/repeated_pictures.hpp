#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// What tells a frame from others: numbers that another one has only where it holds the same
/// values.
struct PictureKeys {
  std::uint64_t values = 0;
  /// Nothing for a frame that could be repeated without a fault: fewer than 256 values, values that
  /// are no whole numbers, or less noise than a fifth of the values above or below both neighbours
  /// in their row. (White noise has two thirds, a simulation without noise next to none, however it
  /// is rounded.)
  std::optional<std::uint64_t> picture;
};

/// Returns the keys of a frame, [row][column].
PictureKeys picture_keys(std::span<const float> values, std::size_t columns);

/// Returns the pairs of frames of the same picture, each with the one before it that has it, in the
/// order of the frames; none where more than a tenth of the frames are such, which is a pattern,
/// unless all are.
std::vector<std::pair<int, int>> repeated_pictures(std::span<const PictureKeys> frames);

/// Returns the first pair of frames, one behind the other, that hold the same values, where nine of
/// ten frames are in such pairs, which differ from each other: each was stored twice. Nothing of
/// other frames.
std::optional<std::pair<int, int>> stored_twice(std::span<const PictureKeys> frames);

}  // namespace gantry
