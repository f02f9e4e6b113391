#pragma once

#include "core/matrix/symmetric/scsr_blocks.hpp"

#include <cstdint>
#include <string>

namespace gantry {

/// The order of the entries within each piece of a row of a dense sub-matrix (cuART's column-index
/// permutation, Yu et al. 2019, section 3.2). On a device each thread has one matrix row, and the
/// threads of a warp write to the pixels of their j-th entries at about the same time.
enum class ColumnOrder {
  ascending,  ///< by voxel index, as in the matrix row
  shifted,    ///< as published: a piece in the r-th row of a warp is rotated by r slots
  distinct    ///< chosen so that the 32 rows of a warp have different pixels in a slot, where
              ///< possible
};
/// Returns the order named "none" (ascending), "shift" or "distinct".
ColumnOrder parse_column_order(const std::string& name);

/// Reorders the entries within each piece; every piece keeps its slots and its entries. Calls
/// `check_interrupt` after each portion of 64 warps.
void permute_columns(
    DenseBlock& block, const std::vector<DensePiece>& pieces, ColumnOrder order,
    const CheckInterrupt& check_interrupt = [] {});

/// Counts the entries whose pixel an earlier row of the same warp has in the same slot, that is,
/// the writes of a warp that collide.
std::uint64_t colliding_writes(const DensePieces& pieces);

}  // namespace gantry
