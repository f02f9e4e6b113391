#include "core/io/imports/checks/stuck_cells.hpp"

#include <algorithm>

namespace gantry {

std::vector<std::size_t> stuck_cells(const std::vector<std::vector<float>>& frames) {
  constexpr std::size_t fewest = 4, most_part = 20;
  std::vector<std::size_t> stuck;
  if (frames.size() < fewest) return stuck;
  const std::vector<float>& first = frames.front();
  for (std::size_t cell = 0; cell < first.size(); ++cell)
    if (std::ranges::all_of(
            frames, [&](const std::vector<float>& frame) { return frame[cell] == first[cell]; }))
      stuck.push_back(cell);
  if (stuck.size() * most_part > first.size()) stuck.clear();
  return stuck;
}

}  // namespace gantry
