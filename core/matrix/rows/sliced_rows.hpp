#pragma once

#include "core/matrix/rows/row_block.hpp"

#include <limits>

namespace gantry {

/// Lays out the matrix rows of a view, longest first, in chunks of 32 rows (chunk_rows) that are
/// padded to the longest row of the chunk (the papers call a chunk a slice). Entry e of row l of a
/// chunk lies at e 32 + l, so that threads with one row each read adjacent addresses. A chunk with
/// more than `widest` entries a row is cut into blocks of `widest` entries a row and a rest.
/// Padding has weight zero and the last voxel of its row, in an empty row voxel 0.
std::unique_ptr<RowBlock> slice_rows(const ViewCsr& rows,
                                     std::size_t widest = std::numeric_limits<std::size_t>::max());

/// Returns the bytes of all views in this layout.
double sliced_rows_bytes(const NonzeroEstimate& estimate,
                         std::size_t widest = std::numeric_limits<std::size_t>::max());

}  // namespace gantry
