#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes the CSR5 format for A and for its transpose, a simplified implementation of our own after
/// Liu and Vinter (ICS 2015, 339): see core/matrix/rows/csr5.hpp. Within a tile, lanes hand the
/// sums of unfinished rows to the next lane; tiles add theirs to the result by atomics, where the
/// original keeps them for a last pass.
std::unique_ptr<MatrixFormat> make_cuda_csr5(const Params& params);

}  // namespace gantry
