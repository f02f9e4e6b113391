#include "core/corrections/obvious_bad_cells.hpp"

#include "core/base/for_lines.hpp"

#include <algorithm>
#include <array>

namespace gantry {

namespace {

constexpr float times_range = 2;      // a corner of the object's profile differs by once the range
constexpr float least_part = 1e-3F;   // of the range of all values: less is no difference
constexpr int fewest_neighbours = 3;  // the range of only two is often small by chance
constexpr int fewest_columns = 5;
constexpr int enough_views = 256;  // as many tell which cells are bad

/// Returns n if every n-th view is looked at.
int stride_of(const ScanSize& size) { return std::max(1, size.views / enough_views); }

int views_looked_at(const ScanSize& size) { return (size.views - 1) / stride_of(size) + 1; }

/// Returns the range of the values in the views that are looked at.
float range_of(const ScanSize& size, std::span<const float> values, const Interrupt* interrupt) {
  const int every = stride_of(size);
  std::vector<float> low(static_cast<std::size_t>(views_looked_at(size))), high = low;
  for_lines(views_looked_at(size), interrupt, [&](std::ptrdiff_t view) {
    const auto index = static_cast<std::size_t>(view);
    const auto own =
        values.subspan(index * static_cast<std::size_t>(every) * size.cells(), size.cells());
    // The compiler makes vector instructions of limits side by side, not of a single one.
    constexpr std::size_t side_by_side = 16;
    std::array<float, side_by_side> least, most;
    least.fill(own[0]);
    most.fill(own[0]);
    std::size_t first = 0;
    for (; first + side_by_side <= own.size(); first += side_by_side)
      for (std::size_t i = 0; i < side_by_side; ++i) {
        least[i] = std::min(least[i], own[first + i]);
        most[i] = std::max(most[i], own[first + i]);
      }
    for (const float value : own.subspan(first)) {
      least[0] = std::min(least[0], value);
      most[0] = std::max(most[0], value);
    }
    low[index] = std::ranges::min(least);
    high[index] = std::ranges::max(most);
  });
  return std::ranges::max(high) - std::ranges::min(low);
}

/// Whether a value lies above or below the range of its neighbours by far.
inline bool is_far_from(float low, float high, float own, float floor) {
  return std::max(own - high, low - own) > times_range * (high - low) + floor;
}

/// Whether a value lies far from its neighbours at the distances `step` and 2 `step`.
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
  return count >= fewest_neighbours && is_far_from(low, high, own, floor);
}

/// As is_off(), for a column with all neighbours; without a branch, so that the compiler makes
/// vector instructions of a row.
inline int is_inner_off(const float* own, std::ptrdiff_t step, float floor) {
  const float a = own[-2 * step], b = own[-step], c = own[step], d = own[2 * step];
  const float low = std::min(std::min(a, b), std::min(c, d)),
              high = std::max(std::max(a, b), std::max(c, d));
  return is_far_from(low, high, *own, floor) ? 1 : 0;
}

/// Adds 1 to each column of a line that is off.
void count_off(std::span<const float> line, float floor, std::span<int> times_off) {
  const auto columns = static_cast<std::ptrdiff_t>(line.size());
  constexpr std::ptrdiff_t farthest = 4;
  const auto count_at_edge = [&](std::ptrdiff_t column) {
    const int c = static_cast<int>(column);
    if (is_off(line, c, 1, floor) || is_off(line, c, 2, floor))
      ++times_off[static_cast<std::size_t>(column)];
  };
  const std::ptrdiff_t inner_end = std::max(farthest, columns - farthest);
  for (std::ptrdiff_t c = 0; c < std::min(farthest, columns); ++c) count_at_edge(c);
  const float* values = line.data();
  int* counts = times_off.data();
  for (std::ptrdiff_t c = farthest; c < inner_end; ++c)
    counts[c] += is_inner_off(values + c, 1, floor) | is_inner_off(values + c, 2, floor);
  for (std::ptrdiff_t c = inner_end; c < columns; ++c) count_at_edge(c);
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
    for (int view = 0; view < size.views; view += stride_of(size)) {
      const auto line =
          line_integrals.subspan(static_cast<std::size_t>(view) * size.cells() + first, width);
      count_off(line, floor, std::span(times_off).subspan(first, width));
    }
  });
  std::vector<std::size_t> bad;
  for (std::size_t cell = 0; cell < size.cells(); ++cell)
    if (2 * times_off[cell] > views_looked_at(size)) bad.push_back(cell);
  return bad;
}

}  // namespace gantry
