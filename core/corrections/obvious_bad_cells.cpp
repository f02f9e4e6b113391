#include "core/corrections/obvious_bad_cells.hpp"

#include "core/base/for_lines.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr float times_range = 2;      // a corner of the object's profile differs by once the range
constexpr float least_part = 1e-3F;   // of the range of all values: less is no difference
constexpr int fewest_neighbours = 3;  // the range of only two is often small by chance
constexpr int fewest_columns = 5;

/// Returns the range of all values.
float range_of(const ScanSize& size, std::span<const float> values, const Interrupt* interrupt) {
  std::vector<float> low(static_cast<std::size_t>(size.views)), high = low;
  for_lines(size.views, interrupt, [&](std::ptrdiff_t view) {
    const auto index = static_cast<std::size_t>(view);
    const auto [least, most] =
        std::ranges::minmax(values.subspan(index * size.cells(), size.cells()));
    low[index] = least;
    high[index] = most;
  });
  return std::ranges::max(high) - std::ranges::min(low);
}

/// Whether a value lies above or below all neighbours at the distances `step` and 2 `step`.
bool is_off(std::span<const float> line, int column, int step, float floor) {
  const int columns = static_cast<int>(line.size());
  const float own = line[static_cast<std::size_t>(column)];
  float low = own, high = own;
  int count = 0;
  for (const int away : {-2 * step, -step, step, 2 * step}) {
    if (column + away < 0 || column + away >= columns) continue;
    const float other = line[static_cast<std::size_t>(column + away)];
    low = count == 0 ? other : std::min(low, other);
    high = count == 0 ? other : std::max(high, other);
    ++count;
  }
  return count >= fewest_neighbours &&
         std::max(own - high, low - own) > times_range * (high - low) + floor;
}

}  // namespace

std::vector<std::size_t> obvious_bad_cells(const ScanSize& size,
                                           std::span<const float> line_integrals,
                                           const Interrupt* interrupt) {
  if (size.views < 2 || size.columns < fewest_columns) return {};
  const float floor = least_part * range_of(size, line_integrals, interrupt);
  const auto width = static_cast<std::size_t>(size.columns);
  std::vector<int> times_off(size.cells());
  for_lines(size.rows, interrupt, [&](std::ptrdiff_t row) {
    const std::size_t first = static_cast<std::size_t>(row) * width;
    for (int view = 0; view < size.views; ++view) {
      const auto line =
          line_integrals.subspan(static_cast<std::size_t>(view) * size.cells() + first, width);
      for (int c = 0; c < size.columns; ++c)
        if (is_off(line, c, 1, floor) || is_off(line, c, 2, floor))
          ++times_off[first + static_cast<std::size_t>(c)];
    }
  });
  std::vector<std::size_t> bad;
  for (std::size_t cell = 0; cell < size.cells(); ++cell)
    if (2 * times_off[cell] > size.views) bad.push_back(cell);
  return bad;
}

}  // namespace gantry
