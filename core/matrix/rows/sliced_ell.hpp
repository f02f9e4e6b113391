#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// Sliced ELLPACK, SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske and Bishop, SIAM J. Sci. Comput.
/// 36 (2014) C401), with C = 32 and sigma the number of rays of a view: the matrix rows of a view
/// are sorted by length, cut into chunks of 32 rows and padded to the longest row of their chunk.
/// Like cuART's view-level blocking the format has rows of nearly equal length side by side and
/// little padding, but needs no flags.
std::unique_ptr<MatrixFormat> make_sliced_ell(const Params& params);

}  // namespace gantry
