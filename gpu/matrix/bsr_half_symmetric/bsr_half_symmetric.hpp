#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the format "symmetric BSR of halves" for Tensor Cores: only the part of W that does not
/// follow from the symmetry of the scan is stored, and a slice becomes up to 8 operand rows (a
/// volume up to 16), in both products. `params`: `part`, `block` and `order` as for bsr_symmetric;
/// `product` is mma or split as for bsr_half.
std::unique_ptr<MatrixFormat> make_bsr_half_symmetric(const Params& params);
std::vector<ParamSpec> bsr_half_symmetric_params();

}  // namespace gantry
