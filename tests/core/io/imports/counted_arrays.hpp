#pragma once

#include "core/io/imports/array_frames.hpp"
#include "tests/core/io/imports/counted_frames.hpp"
#include "tests/core/io/imports/numpy_bytes.hpp"
#include "tests/core/io/imports/written_hdf5.hpp"

#include <QByteArray>

#include <array>
#include <cstdint>
#include <string>
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

using Sizes = std::array<std::size_t, 3>;

/// Returns the places of views, rows and columns, 0 to 2, in an order such as "rows,columns,views".
inline std::vector<std::size_t> places_of(const std::string& order) {
  const AxisOrder axes = axis_order_in(order).value();
  std::vector<std::size_t> places;
  for (const ArrayAxis axis : axes) places.push_back(static_cast<std::size_t>(axis));
  return places;
}

/// Returns the sizes of an array of frames in an order of axes.
inline std::vector<hsize_t> sizes_in(const std::string& order, std::size_t views) {
  const Sizes sizes = {views, CountedFrames::rows, CountedFrames::columns};
  std::vector<hsize_t> in_order;
  for (const std::size_t place : places_of(order)) in_order.push_back(sizes[place]);
  return in_order;
}

/// Returns values [view][row][column] in an order of axes, of which the last one is the fastest.
inline Frame values_in(const std::string& order, const Frame& values) {
  constexpr std::size_t rows = CountedFrames::rows, columns = CountedFrames::columns;
  const std::vector<std::size_t> places = places_of(order);
  const std::vector<hsize_t> sizes = sizes_in(order, values.size() / (rows * columns));
  Frame turned;
  Sizes index = {};
  for (std::size_t i = 0; i < sizes[0]; ++i)
    for (std::size_t j = 0; j < sizes[1]; ++j)
      for (std::size_t k = 0; k < sizes[2]; ++k) {
        index[places[0]] = i;
        index[places[1]] = j;
        index[places[2]] = k;
        turned.push_back(values[(index[0] * rows + index[1]) * columns + index[2]]);
      }
  return turned;
}

}  // namespace gantry::test
