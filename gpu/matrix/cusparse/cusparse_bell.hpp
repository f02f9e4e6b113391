#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Blocked-ELL of halves, for one slice and its transpose, times all slices of a stack by cuSPARSE
/// on Tensor Cores: what the library has for what bsr_half does. `block` 32x32 or 16x16; `order` as
/// of bsr.
std::unique_ptr<MatrixFormat> make_cusparse_bell(const Params& params);
std::vector<ParamSpec> cusparse_bell_params();

}  // namespace gantry
