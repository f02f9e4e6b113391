#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// CSR5 after Liu and Vinter (ICS 2015, 339), in a simplified implementation of our own. The
/// nonzeros of a view, matrix row after matrix row, are cut into tiles of omega = 32 lanes of a
/// warp by sigma entries: a lane takes sigma consecutive nonzeros, whatever rows they belong to,
/// and the lanes read adjacent addresses. A bit for each entry tells whether the entry begins a
/// row, a number for each lane how many rows begin before the lane in its tile; products are
/// segmented sums. Simplifications: the last tile of a view is padded instead of stored as CSR; the
/// nonempty rows are listed instead of offsets for empty rows; lanes do not pass their sums to each
/// other but add them to the ray.
std::vector<ParamSpec> csr5_params();
std::unique_ptr<MatrixFormat> make_csr5(const Params& params);

}  // namespace gantry
