#pragma once

#include "gpu/device/host_device.hpp"

#include <cstddef>

namespace gantry::device {

/// A ray by its number and by the detector cell that it ends in, so that kernels that need the cell
/// do not divide.
struct RayCell {
  std::size_t ray;
  int view, row, column;
};
/// Returns the ray of a cell of a detector of `rows` x `columns` cells.
GANTRY_HD RayCell ray_cell(int view, int row, int column, int rows, int columns) {
  return {(static_cast<std::size_t>(view) * rows + row) * columns + column, view, row, column};
}
/// Returns the ray of the cell `rows` above one of row 0 on a detector of `columns` columns.
GANTRY_HD RayCell above(RayCell lowest, int rows, int columns) {
  return {lowest.ray + static_cast<std::size_t>(static_cast<unsigned>(rows)) *
                           static_cast<unsigned>(columns),
          lowest.view, rows, lowest.column};
}

/// Numbers of one thread, in memory that it shares with others: number n is at first[n stride].
struct Room {
  float* first;
  int stride, size;

  GANTRY_HD float& operator[](int n) const { return first[n * stride]; }
};

}  // namespace gantry::device
