#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// A as block CSR and its transpose as ELLR-T, both stored (Chen, Zhang, Yan et al., "Matrix
/// approach for processing of iterative reconstruction on cone beam CT", section III; ELLR-T:
/// Vazquez, Garzon and Fernandez, J. Struct. Biol. 170 (2010) 146). The N rows of A^T, one for
/// each voxel with its rays in ascending order, are padded to the longest. T threads work on a row;
/// entry e of row j lies at (e / T) N T + j T + e mod T, so that they read adjacent addresses.
std::vector<ParamSpec> ellr_t_params();
std::unique_ptr<MatrixFormat> make_ellr_t(const Params& params);

}  // namespace gantry
