#pragma once

#include "core/operator/projector.hpp"

#include <string>

namespace gantry {

/// The square blocks of a matrix in some order of rays and pixels, where rows of blocks are padded
/// to the longest (Blocked-ELL). Serves to estimate the size of the matrix before it is built.
struct SquarePattern {
  int side = 16;                 ///< rays and pixels of a block
  double rows = 0, columns = 0;  ///< of the matrix, padded
  double most_by_row = 0;        ///< most blocks with a nonzero in any row of blocks
  double most_by_column = 0;     ///< most blocks with a nonzero in any row of the transpose

  /// Returns the bytes of the weights (half precision) and the block columns, for the matrix and
  /// its transpose.
  double bytes() const;
};

/// Estimates the pattern of one slice from 96 groups of 32 rays and 48 rows of blocks of the
/// transpose at most; `order` is a value of block_order_param(), `side` is 16 or 32. Throws
/// UsageError when the projector gives no single weights, and Interrupted.
SquarePattern estimate_squares(const Projector& weights, const std::string& order, int side);

}  // namespace gantry
