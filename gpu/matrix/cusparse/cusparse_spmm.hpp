#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// CSR of one slice and of its transpose, times all slices of a stack by cuSPARSE: what BSR
/// on Tensor Cores is held against. `product` spmm, spmm-half, spmv or spmv-half; `algorithm` 3
/// or 2.
std::unique_ptr<MatrixFormat> make_cusparse_spmm(const Params& params);
std::vector<ParamSpec> cusparse_spmm_params();

}  // namespace gantry
