#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

namespace gantry {

/// cuART's symmetric CSR (Yu et al., J. Signal Process. Syst. 91 (2019) 321): the rows of the views
/// that no symmetry of the scan gives, an eighth of all (cone beam on a circle: a sixteenth). A
/// product with all views is one of the stored ones with as many vectors, each the image as one of
/// the symmetries sees it. Throws UsageError for a scan that has none.
std::vector<ParamSpec> scsr_params();
std::unique_ptr<MatrixFormat> make_scsr(const Params& params);

}  // namespace gantry
