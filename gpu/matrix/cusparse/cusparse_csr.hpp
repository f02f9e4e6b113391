#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// Compressed sparse rows on a GPU with NVIDIA's cuSPARSE: what others are held against. The
/// transpose is a stored one, cuSPARSE's own operation, or turned anew for each product.
std::vector<ParamSpec> cusparse_csr_params();
std::unique_ptr<MatrixFormat> make_cusparse_csr(const Params& params);

/// The same with the transpose stored.
std::unique_ptr<MatrixFormat> make_cuda_csr(const Params& params);

}  // namespace gantry
