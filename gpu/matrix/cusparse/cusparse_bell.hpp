#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the format "Blocked-ELL of halves" for one slice and its transpose, multiplied with all
/// slices of a stack by cuSPARSE on Tensor Cores: the library's counterpart of bsr_half. `block` is
/// 32x32 or 16x16; `order` as for bsr.
std::unique_ptr<MatrixFormat> make_cusparse_bell(const Params& params);
std::vector<ParamSpec> cusparse_bell_params();

}  // namespace gantry
