#pragma once

#include "core/base/interrupt.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// How many values a scan has.
struct ScanSize {
  int views = 0, rows = 0, columns = 0;

  std::size_t cells() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }
};

/// Returns the cells of a detector that are dead or stuck beyond doubt, as indices [row][column],
/// rising: in most views they lie above or below all of the cells k and 2 k columns beside them, by
/// more than twice the range of these and a thousandth of the range of all values, for k = 1 or
/// k = 2. In a view, edges and noise spread the neighbours as much as the cell; single views with
/// a speck do not count. Where the beam meets a thread of one or two cells that stands still in
/// most views, that is taken for dead cells, too.
///
/// Unlike the correction bad_cells it asks for no smooth object and no noise, and leaves undecided
/// what is a little off: it is for estimates from the views, not for their correction.
/// `line_integrals`: [view][row][column]. `interrupt` may be null. Throws Interrupted.
std::vector<std::size_t> obvious_bad_cells(const ScanSize& size,
                                           std::span<const float> line_integrals,
                                           const Interrupt* interrupt);

}  // namespace gantry
