#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// BSR of halves for Tensor Cores, both products of all slices of a stack at once. `block` and
/// `order` as of bsr; `product` mma, split or wmma.
std::unique_ptr<MatrixFormat> make_bsr_half(const Params& params);
std::vector<ParamSpec> bsr_half_params();

}  // namespace gantry
