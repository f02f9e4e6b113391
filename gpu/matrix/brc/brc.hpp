#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Blocked row-column storage of W and of its transpose, a simplified implementation of our own
/// after Ashari et al. (ICS 2014, 273): see core/matrix/rows/brc.hpp. Blocks of a slice are added
/// in their order, where the original adds them by atomics.
std::unique_ptr<MatrixFormat> make_cuda_brc(const Params& params);

}  // namespace gantry
