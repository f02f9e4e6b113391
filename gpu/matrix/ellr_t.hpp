#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// ELLR-T, of W and of its transpose: T threads for each row, rows padded to the longest (Vazquez,
/// Garzon and Fernandez, J. Struct. Biol. 170 (2010) 146; Chen et al., "Matrix approach for
/// processing of iterative reconstruction on cone beam CT", have the transpose alone in it).
std::vector<ParamSpec> cuda_ellr_t_params();
std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params);

}  // namespace gantry
