#pragma once

#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes the format "CSR of halves" for one slice and its transpose, multiplied with pairs of
/// slices in half2 arithmetic: the method that Nourazar and Goossens 2021 compare Tensor Cores
/// with, here for single nonzeros instead of blocks.
std::unique_ptr<MatrixFormat> make_csr_half2(const Params& params);

}  // namespace gantry
