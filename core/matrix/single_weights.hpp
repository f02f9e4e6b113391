#pragma once

#include "core/operator/linear_operator.hpp"

namespace gantry {

/// Returns the operator whose products are of the same weights as the single rows and columns that
/// A gives (RowAccess, ColumnAccess). This is A, unless A is stored with rounding, as in half
/// precision: rows and columns are then those of the projector that A was made from, in float32.
const LinearOperator& operator_of_single_weights(const LinearOperator& A);

}  // namespace gantry
