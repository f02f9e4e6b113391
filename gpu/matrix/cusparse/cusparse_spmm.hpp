#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the format "CSR of one slice and of its transpose", multiplied with all slices of a stack
/// by cuSPARSE: the reference for BSR on Tensor Cores. `product` is spmm, spmm-half, spmv or
/// spmv-half; `algorithm` is 3 or 2.
std::unique_ptr<MatrixFormat> make_cusparse_spmm(const Params& params);
std::vector<ParamSpec> cusparse_spmm_params();

}  // namespace gantry
