#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// ELLR-T: T threads for each row, rows padded to the longest (Vazquez, Garzon and Fernandez, J.
/// Struct. Biol. 170 (2010) 146). As Chen et al. have it ("Matrix approach for processing of
/// iterative reconstruction on cone beam CT"): W in block CSR and its transpose in ELLR-T; see
/// core/matrix/rows/ellr_t.hpp.
std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params);

/// Both W and its transpose in ELLR-T.
std::vector<ParamSpec> cuda_ellr_t_pair_params();
std::unique_ptr<MatrixFormat> make_cuda_ellr_t_pair(const Params& params);

}  // namespace gantry
