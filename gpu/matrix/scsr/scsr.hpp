#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// Makes cuART's symmetric CSR format (Yu et al., J. Signal Process. Syst. 91 (2019) 321). The
/// matrix rows of one view of each orbit of the scan's symmetry group are stored. A product is one
/// pass over these rows, with one vector for each of the up to 8 elements of the group, 16 in three
/// dimensions. For a single slice, the rows are stored by tiles of the image, whose pixels a thread
/// block keeps in shared memory (scsr_tiles.cuh); for a three-dimensional scan, as runs of entries
/// that refer to orbits of voxels (scsr_cone.hpp). The backprojection uses a stored transpose, or
/// adds to the image along the same rows. `params` are those of core/matrix/symmetric/scsr.hpp.
std::unique_ptr<MatrixFormat> make_cuda_scsr(const Params& params);

}  // namespace gantry
