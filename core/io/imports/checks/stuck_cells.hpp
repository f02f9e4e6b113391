#pragma once

#include <cstddef>
#include <vector>

namespace gantry {

/// Returns the cells that show one number in all of these frames of one size, with the beam and
/// with the object before it, rising: they are stuck. Empty where more than 5 % of the cells do, as
/// without noise, or for fewer than four frames. `frames`: values as stored, [frame][cell].
std::vector<std::size_t> stuck_cells(const std::vector<std::vector<float>>& frames);

}  // namespace gantry
