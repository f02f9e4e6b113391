#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// Sliced ELLPACK, SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput.
/// 36 (2014) C401) with C = 32 and sigma the rays of a view: the rows of a view are sorted by
/// length, cut into slices of 32 and padded to the longest of their slice. It serves the end of
/// cuART's view-level blocking, little padding with rows of equal length side by side, without its
/// flags.
std::unique_ptr<MatrixFormat> make_sliced_ell(const Params& params);

}  // namespace gantry
