#include "core/io/files/tiff/tiff_orientation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <tiff.h>
#include <vector>

namespace gantry {

namespace {

/// What makes a stored page upright: first it is transposed, then its columns or rows turn over.
struct Turn {
  bool transposes = false, mirrors = false, flips = false;
  const char* text = "";
};

Turn turn_of(std::uint16_t orientation) {
  static constexpr std::array<Turn, 9> turns = {
      {{},
       {},
       {false, true, false, "mirrored from left to right"},
       {false, true, true, "turned by half a turn"},
       {false, false, true, "turned upside down"},
       {true, false, false, "transposed"},
       {true, true, false, "turned by a quarter turn clockwise"},
       {true, true, true, "transposed and turned by half a turn"},
       {true, false, true, "turned by a quarter turn counter-clockwise"}}};
  return orientation < turns.size() ? turns[orientation] : Turn{};
}

}  // namespace

std::string TiffPage::turned_text() const { return turn_of(orientation).text; }

bool is_stored_sideways(const TiffPage& page) { return turn_of(page.orientation).transposes; }

void turn_upright(const TiffPage& page, std::span<std::byte> values) {
  const Turn turn = turn_of(page.orientation);
  const std::size_t size = page.bits / 8U;
  auto columns = static_cast<std::size_t>(page.columns), rows = static_cast<std::size_t>(page.rows);
  if (turn.transposes) {
    const std::vector<std::byte> stored(values.begin(), values.end());
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        std::memcpy(values.data() + (column * rows + row) * size,
                    stored.data() + (row * columns + column) * size, size);
    std::swap(columns, rows);
  }
  const std::size_t line = columns * size;
  const auto row_at = [&](std::size_t row) {
    return values.begin() + static_cast<std::ptrdiff_t>(row * line);
  };
  for (std::size_t row = 0; turn.flips && row < rows / 2; ++row)
    std::swap_ranges(row_at(row), row_at(row + 1), row_at(rows - 1 - row));
  for (std::size_t row = 0; turn.mirrors && row < rows; ++row)
    for (std::size_t column = 0; column < columns / 2; ++column) {
      const auto left = row_at(row) + static_cast<std::ptrdiff_t>(column * size),
                 right = row_at(row) + static_cast<std::ptrdiff_t>((columns - 1 - column) * size);
      std::swap_ranges(left, left + static_cast<std::ptrdiff_t>(size), right);
    }
}

}  // namespace gantry
