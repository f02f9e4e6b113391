#include "core/io/imports/unmeasured_values.hpp"

#include "core/base/error.hpp"
#include "core/corrections/cell_repair.hpp"
#include "core/io/files/raw_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Gives each of these cells the value of one that was measured. Not all cells are given.
void fill_from_measured(std::span<const std::size_t> cells, std::span<float> values) {
  for (const std::size_t cell : cells)
    if (cell > 0) values[cell] = values[cell - 1];
  // What begins the frame has no cell before it.
  const auto first = std::ranges::find_if(values, [](float v) { return std::isfinite(v); });
  std::fill(values.begin(), first, *first);
}

}  // namespace

UnmeasuredValues::UnmeasuredValues(const FrameSource& projections)
    : projections_(projections), found_(static_cast<std::size_t>(projections.frames())) {}

void UnmeasuredValues::read(int frame, std::span<float> values) {
  projections_.read(frame, values);
  Frame& found = found_[static_cast<std::size_t>(frame)];
  for (std::size_t cell = 0; cell < values.size(); ++cell)
    if (!std::isfinite(values[cell])) found.cells.push_back(cell);
  if (found.cells.size() > values.size() / 4) {
    found = {.cells = {}, .is_lost = true};
    std::ranges::fill(values, 0.0F);
  } else if (!found.cells.empty()) {
    fill_from_measured(found.cells, values);
  }
}

void UnmeasuredValues::repair(int frame, std::span<float> line_integrals) const {
  if (!of(frame).cells.empty())
    CellRepair(projections_.rows(), projections_.columns(), of(frame).cells).apply(line_integrals);
}

std::vector<int> UnmeasuredValues::lost_frames() const {
  std::vector<int> lost;
  for (int frame = 0; frame < projections_.frames(); ++frame)
    if (is_lost(frame)) lost.push_back(frame);
  if (lost.size() == found_.size())
    throw InputError("more than a quarter of the values of every projection are not finite",
                     projections_.name(0),
                     "leave out the parts of the detector that were not measured, or replace them");
  return lost;
}

std::string UnmeasuredValues::note() const {
  BadValues all;
  std::string where;
  for (int frame = 0; frame < projections_.frames(); ++frame) {
    const std::vector<std::size_t>& cells = of(frame).cells;
    if (cells.empty()) continue;
    all.count += cells.size();
    const auto columns = static_cast<std::size_t>(projections_.columns());
    if (where.empty())
      where = projections_.name(frame) + ", row " + std::to_string(cells.front() / columns) +
              ", column " + std::to_string(cells.front() % columns);
  }
  return where.empty() ? where
                       : "projections: " + describe(all) +
                             " and got the mean of the neighbours, the first in " + where;
}

}  // namespace gantry
