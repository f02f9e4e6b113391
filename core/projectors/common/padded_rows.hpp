#pragma once

namespace gantry {

/// A padded row holds n pixels in n + row_padding values: pixel i, which spans i to i + 1, is value
/// i + 1 of the row; the values before pixel 0 and after the last pixel are 0. Kernels may thus
/// clamp an interval to the row and read its two pixels without a test for the border.
constexpr int row_padding = 3;

}  // namespace gantry
