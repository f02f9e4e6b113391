#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the format "compressed sparse rows" with NVIDIA's cuSPARSE, the reference for other
/// formats. The transpose is stored, or taken by cuSPARSE's transposed product, or computed anew
/// for every product (csr2csc).
std::vector<ParamSpec> cusparse_csr_params();
std::unique_ptr<MatrixFormat> make_cusparse_csr(const Params& params);

/// Makes this format with the transpose stored.
std::unique_ptr<MatrixFormat> make_cuda_csr(const Params& params);

}  // namespace gantry
