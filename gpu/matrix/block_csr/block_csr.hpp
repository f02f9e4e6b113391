#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Block CSR, of W and of its transpose: short rows by one thread, the others by half a warp
/// (Chen et al., "Matrix approach for processing of iterative reconstruction on cone beam CT").
std::unique_ptr<MatrixFormat> make_cuda_block_csr(const Params& params);

}  // namespace gantry
