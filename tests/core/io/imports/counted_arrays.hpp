#pragma once

#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"

#include <QByteArray>

#include <cstdint>
#include <vector>

namespace gantry::test {

/// Returns the counted frames of `count` projections as uint16, one after the other.
inline std::vector<std::uint16_t> counted_projections(int count) {
  std::vector<std::uint16_t> all;
  for (int i = 0; i < count; ++i) {
    const auto frame = CountedFrames::projection(i);
    all.insert(all.end(), frame.begin(), frame.end());
  }
  return all;
}
inline std::vector<std::uint16_t> counted_flats() {
  std::vector<std::uint16_t> all;
  for (int i = 0; i < 3; ++i) {
    const auto frame = CountedFrames::flat_frame(i);
    all.insert(all.end(), frame.begin(), frame.end());
  }
  return all;
}

/// Returns frames [frame][row][column] as sinograms [row][frame][column].
inline std::vector<std::uint16_t> sinograms_of(const std::vector<std::uint16_t>& frames) {
  constexpr std::size_t rows = 6, columns = 9;
  const std::size_t count = frames.size() / (rows * columns);
  std::vector<std::uint16_t> sinograms;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t frame = 0; frame < count; ++frame)
      for (std::size_t column = 0; column < columns; ++column)
        sinograms.push_back(frames[(frame * rows + row) * columns + column]);
  return sinograms;
}

/// Returns numbers in the order of axes of which the first is the fastest: [a][b][c] to [c][b][a].
template <class Number>
std::vector<Number> first_axis_fastest(const std::vector<Number>& values, std::size_t a,
                                       std::size_t b, std::size_t c) {
  std::vector<Number> turned;
  for (std::size_t k = 0; k < c; ++k)
    for (std::size_t j = 0; j < b; ++j)
      for (std::size_t i = 0; i < a; ++i) turned.push_back(values[(i * b + j) * c + k]);
  return turned;
}

template <class Number>
QByteArray bytes_of_numbers(const std::vector<Number>& values) {
  return little_endian(std::span<const Number>(values));
}

}  // namespace gantry::test
