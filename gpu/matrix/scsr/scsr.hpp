#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// cuART's symmetric CSR (Yu et al., J. Signal Process. Syst. 91 (2019) 321) as one pass over the
/// stored stored views: rows of one view of each orbit of the scan's symmetry, with a right-hand
/// side for each of its up to 8 elements, 16 in space. Rows of single slices lie by tiles of the
/// image, whose pixels a block keeps in shared memory; in space by runs of entries among the orbits
/// of voxels (scsr_cone.hpp). The transpose is a stored one, or adds up along the same rows.
/// Parameters are those of core/matrix/symmetric/scsr.hpp.
std::unique_ptr<MatrixFormat> make_cuda_scsr(const Params& params);

}  // namespace gantry
