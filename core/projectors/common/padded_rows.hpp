#pragma once

namespace gantry {

/// Rows are padded, so that intervals beside them need no care: pixel i, which spans i to i + 1, is
/// the value i + 1 of the row; those before the first and after the last pixel are 0.
constexpr int row_padding = 3;

}  // namespace gantry
