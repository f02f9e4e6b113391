#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// BSR of halves of what the symmetry of a slice's scan leaves of W, for Tensor Cores: a slice is
/// up to 8 of their columns, both ways. `part`, `block` and `order` as of bsr_symmetric; `product`
/// mma or split as of bsr_half.
std::unique_ptr<MatrixFormat> make_bsr_half_symmetric(const Params& params);
std::vector<ParamSpec> bsr_half_symmetric_params();

}  // namespace gantry
