#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes the sliced ELL format: chunks (slices) of 32 matrix rows, padded to the longest of them.
/// The rows of A are sorted by length within each view, those of its transpose within each line of
/// voxels along x.
std::unique_ptr<MatrixFormat> make_cuda_sliced_ell(const Params& params);

}  // namespace gantry
