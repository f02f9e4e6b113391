#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// CSR5 of W and of its transpose, a simplified implementation of our own after Liu and Vinter (ICS
/// 2015, 339): see core/matrix/rows/csr5.hpp. Lanes hand their sums on inside a tile; tiles add
/// theirs by atomics, where the original keeps them for a last pass.
std::unique_ptr<MatrixFormat> make_cuda_csr5(const Params& params);

}  // namespace gantry
