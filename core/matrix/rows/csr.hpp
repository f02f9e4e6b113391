#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// Compressed sparse rows (CSR), view by view: 8 bytes a nonzero. y = A x sums along matrix rows;
/// x = A^T y goes through the same rows, each thread for bands of voxels of its own.
std::unique_ptr<MatrixFormat> make_csr(const Params& params);

}  // namespace gantry
