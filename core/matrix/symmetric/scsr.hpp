#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// cuART's symmetric CSR (Yu et al., J. Signal Process. Syst. 91 (2019) 321). Only the matrix rows
/// that do not follow from others by a symmetry of the scan are stored: an eighth of all (cone beam
/// on a circle: a sixteenth). A product with all views is a product of the stored rows with several
/// vectors, one for each element of the symmetry group: the image as mapped by that element.
/// MatrixFormat::require() throws UsageError for a scan without symmetry.
std::vector<ParamSpec> scsr_params();
std::unique_ptr<MatrixFormat> make_scsr(const Params& params);

}  // namespace gantry
