#pragma once

#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// CSR of halves, for one slice and its transpose, times pairs of slices by half2 arithmetic: what
/// Nourazar and Goossens 2021 hold Tensor Cores against, here over single nonzeros and not blocks.
std::unique_ptr<MatrixFormat> make_csr_half2(const Params& params);

}  // namespace gantry
