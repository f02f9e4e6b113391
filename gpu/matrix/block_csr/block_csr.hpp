#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes the block CSR format, for A and for its transpose: one thread sums a short matrix row,
/// half a warp a long one (Chen et al., "Matrix approach for processing of iterative reconstruction
/// on cone beam CT").
std::unique_ptr<MatrixFormat> make_cuda_block_csr(const Params& params);

}  // namespace gantry
