#include "core/corrections/cell_repair.hpp"

#include <algorithm>
#include <cstdlib>

namespace gantry {

namespace {

constexpr int farthest = 8;  // rows or columns; cells farther away say little about a cell

/// Calls visit(cell) for the cells at a distance of `reach` rows or columns.
template <class Visit>
void for_ring(int rows, int columns, int row, int column, int reach, const Visit& visit) {
  for (int r = std::max(0, row - reach); r <= std::min(rows - 1, row + reach); ++r) {
    const bool is_whole_line = std::abs(r - row) == reach;
    for (int c = column - reach; c <= column + reach; c += is_whole_line ? 1 : 2 * reach)
      if (c >= 0 && c < columns)
        visit(static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) +
              static_cast<std::size_t>(c));
  }
}

}  // namespace

CellRepair::CellRepair(int rows, int columns, const std::vector<std::size_t>& bad) {
  if (bad.empty()) return;
  const auto width = static_cast<std::size_t>(columns);
  std::vector<bool> is_bad(static_cast<std::size_t>(rows) * width);
  for (const std::size_t cell : bad) is_bad[cell] = true;
  for (const std::size_t cell : bad) {
    const std::size_t before = neighbours_.size();
    for (int reach = 1; reach <= farthest && neighbours_.size() == before; ++reach)
      for_ring(rows, columns, static_cast<int>(cell / width), static_cast<int>(cell % width), reach,
               [&](std::size_t other) {
                 if (!is_bad[other]) neighbours_.push_back(other);
               });
    repaired_.push_back({cell, neighbours_.size()});
  }
}

void CellRepair::apply(std::span<float> view) const {
  std::size_t next = 0;
  for (const Repaired& one : repaired_) {
    const std::size_t count = one.neighbours_end - next;
    double sum = 0;
    for (; next < one.neighbours_end; ++next) sum += view[neighbours_[next]];
    view[one.cell] = count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0F;
  }
}

}  // namespace gantry
