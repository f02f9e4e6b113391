#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// CSR5 after Liu and Vinter (ICS 2015, 339), a simplified implementation of our own: the nonzeros
/// of a view, row after row, in tiles of omega = 32 lanes by sigma entries; a lane takes sigma
/// nonzeros in a row, whatever rows they belong to, and lanes read side by side. A bit for each
/// entry says whether it begins a row, a number for each lane how many rows begin before it in its
/// tile; products are segmented sums. Simplified: the last tile of a view is padded instead of kept
/// as CSR, rows that are not empty are listed instead of offsets for empty ones, and lanes do not
/// hand their sums on but add them to the ray.
std::vector<ParamSpec> csr5_params();
std::unique_ptr<MatrixFormat> make_csr5(const Params& params);

}  // namespace gantry
