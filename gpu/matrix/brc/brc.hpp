#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes the format of blocked row-column storage for A and for its transpose, a simplified
/// implementation of our own after Ashari et al. (ICS 2014, 273): see core/matrix/rows/brc.hpp. The
/// sums of a row's blocks are added in a fixed order, where the original adds them by atomics.
std::unique_ptr<MatrixFormat> make_cuda_brc(const Params& params);

}  // namespace gantry
