#pragma once

#include "core/operator/projector.hpp"

#include <string>

namespace gantry {

/// Square blocks that a matrix in some order consists of, rows of blocks padded to the longest
/// (Blocked-ELL): for its size to be known before it is built.
struct SquarePattern {
  int side = 16;
  double rows = 0, columns = 0;  ///< padded
  double most_by_row = 0;        ///< blocks with a nonzero of a row of blocks
  double most_by_column = 0;     ///< of a row of the transpose

  /// Halves and their columns, of the matrix and its transpose.
  double bytes() const;
};

/// Of some groups of the rays; `side` is 16 or 32. Gives way.
SquarePattern estimate_squares(const Projector& weights, const std::string& order, int side);

}  // namespace gantry
