#pragma once

#include "core/base/interrupt.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// The numbers of views, rows and columns of a scan.
struct ScanSize {
  int views = 0, rows = 0, columns = 0;

  std::size_t cells() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

/// Returns the cells of a detector that are dead or stuck beyond doubt, as indices [row][column] in
/// ascending order. In most views, the value of such a cell lies above or below all values at k and
/// 2 k columns on both sides, for k = 1 or k = 2, by more than twice the range of these and a
/// thousandth of the range of all values. Edges and noise do not cause this, since they spread the
/// neighbours as much as the cell; a speck in single views does not count. Of 512 views or more,
/// every n-th is looked at, 256 at least. A thread of one or two cells whose shadow does not move in
/// most views is taken for dead cells, too.
///
/// Unlike the correction bad_cells, this test does not assume a smooth object or noise, and finds
/// no cells with small errors: it serves estimates from the views, not their correction.
/// `line_integrals`: [view][row][column]. `interrupt` may be null. Throws Interrupted.
std::vector<std::size_t> obvious_bad_cells(const ScanSize& size,
                                           std::span<const float> line_integrals,
                                           const Interrupt* interrupt);

}  // namespace gantry
