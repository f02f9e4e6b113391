#include "core/corrections/unseen_values.hpp"

#include <cmath>

namespace gantry {

namespace {

constexpr std::size_t widest_of_cells = 3;  // columns; ring artefacts of single cells are no wider
constexpr std::size_t parts_of_views = 20;  // a cell without beam in more than one of them is dead

/// Calls visit(view, first column, end) for each gap in the views of a sinogram, except for gaps
/// that are a whole view; is_gap(view, column) tells whether a value lies in a gap.
template <class IsGap, class Visit>
void for_gaps(std::size_t views, std::size_t width, const IsGap& is_gap, const Visit& visit) {
  for (std::size_t view = 0; view < views; ++view)
    for (std::size_t c = 0; c < width; ++c) {
      if (!is_gap(view, c)) continue;
      std::size_t end = c;
      while (end < width && is_gap(view, end)) ++end;
      if (end - c < width) visit(view, c, end);
      c = end;
    }
}

/// Interpolates line[from] to line[end - 1] between the values on both sides; at an end of the line
/// only one of these exists.
void fill(std::span<float> line, std::size_t from, std::size_t end) {
  const float left = from > 0 ? line[from - 1] : line[end],
              right = end < line.size() ? line[end] : left;
  for (std::size_t c = from; c < end; ++c)
    line[c] = std::lerp(left, right,
                        static_cast<float>(c - from + 1) / static_cast<float>(end - from + 1));
}

}  // namespace

BridgedValues bridge_unseen(std::span<float> sinogram, int columns) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t views = sinogram.size() / width;
  std::vector<std::size_t> failures(width);
  const auto is_unseen = [&](std::size_t view, std::size_t column) {
    return !(sinogram[view * width + column] < unseen_line_integral);
  };
  for_gaps(views, width, is_unseen, [&](std::size_t, std::size_t from, std::size_t end) {
    for (std::size_t c = from; c < end && end - from <= widest_of_cells; ++c) ++failures[c];
  });
  const auto is_gap = [&](std::size_t view, std::size_t column) {
    return is_unseen(view, column) || parts_of_views * failures[column] > views;
  };
  BridgedValues result;
  for_gaps(views, width, is_gap, [&](std::size_t view, std::size_t from, std::size_t end) {
    const auto line = sinogram.subspan(view * width, width);
    if (end - from > widest_of_cells)
      for (std::size_t c = from; c < end; ++c) result.lent.emplace_back(view * width + c, line[c]);
    else
      result.bridged += end - from;
    fill(line, from, end);
  });
  return result;
}

}  // namespace gantry
