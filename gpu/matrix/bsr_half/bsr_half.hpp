#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the format "BSR of halves" for Tensor Cores, with both products for all slices of a stack
/// at once. `params`: `block` and `order` as for bsr; `product` is mma, split, wmma or half2.
std::unique_ptr<MatrixFormat> make_bsr_half(const Params& params);
std::vector<ParamSpec> bsr_half_params();

}  // namespace gantry
