#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Makes the ELLR-T format: T threads sum a matrix row together, and all rows are padded to the
/// longest (Vazquez, Garzon and Fernandez, J. Struct. Biol. 170 (2010) 146). As Chen et al. propose
/// ("Matrix approach for processing of iterative reconstruction on cone beam CT"), A itself is
/// stored in block CSR and its transpose in ELLR-T; see core/matrix/rows/ellr_t.hpp.
std::unique_ptr<MatrixFormat> make_cuda_ellr_t(const Params& params);

/// Parameters and format with both A and its transpose in ELLR-T.
std::vector<ParamSpec> cuda_ellr_t_pair_params();
std::unique_ptr<MatrixFormat> make_cuda_ellr_t_pair(const Params& params);

}  // namespace gantry
