#pragma once

#include "core/matrix/symmetric/scsr_blocks.hpp"

#include <cstdint>
#include <string>

namespace gantry {

/// How entries are ordered along a row of a dense sub-matrix, each piece in its own places (cuART's
/// column-index permutation, Yu et al. 2019, section 4.1): a device's threads have a row each and
/// write to the pixels of their j-th entries at about the same time.
enum class ColumnOrder {
  ascending,
  shifted,  ///< as published: each row of a warp rotated by one more place than the one before
  distinct  ///< chosen so that the 32 rows of a warp have different pixels at a place, where they
            ///< can
};
/// "none", "shift" or "distinct".
ColumnOrder parse_column_order(const std::string& name);

/// Reorders the entries of each piece; a row keeps what it has.
/// Asks `check_interrupt` between portions.
void permute_columns(
    DenseBlock& block, const std::vector<DensePiece>& pieces, ColumnOrder order,
    const GiveWay& check_interrupt = [] {});

/// Writes of a warp to a pixel that another of its rows writes to at the same place.
std::uint64_t meeting_writes(const DensePieces& pieces);

}  // namespace gantry
