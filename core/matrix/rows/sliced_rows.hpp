#pragma once

#include "core/matrix/rows/row_block.hpp"

#include <limits>

namespace gantry {

/// The rows of a view, longest first, in slices of 32 (slice_lanes) that are padded to their
/// longest row; entry e of lane l of a slice stands at e 32 + l, so that lanes read side by side. A
/// slice of more than `widest` entries a row is cut into blocks of `widest` and a rest. Padding has
/// weight zero and the row's last voxel.
std::unique_ptr<RowBlock> slice_rows(const ViewCsr& rows,
                                     std::size_t widest = std::numeric_limits<std::size_t>::max());

}  // namespace gantry
