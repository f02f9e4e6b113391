#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Sliced ELL of W, rows sorted by length inside each view, and of its transpose, sorted inside
/// each line of voxels: slices of 32 rows, each padded to its longest.
std::unique_ptr<MatrixFormat> make_cuda_sliced_ell(const Params& params);

}  // namespace gantry
