#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// A as block CSR and its transpose as ELLR-T, both stored (the matrix approach to CBCT, section
/// III; ELLR-T: Vazquez, Fernandez and Garzon, Concurrency Comput. 23 (2011) 815). The rows of A^T,
/// one a voxel with its rays in ascending order, are padded to the longest; T threads share a row,
/// and entry e of row j of N stands at (e / T) N T + j T + e mod T, so that they read side by side.
std::vector<ParamSpec> ellr_t_params();
std::unique_ptr<MatrixFormat> make_ellr_t(const Params& params);

}  // namespace gantry
