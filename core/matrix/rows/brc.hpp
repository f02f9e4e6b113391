#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// Blocked row-column storage after Ashari, Sedaghati, Eisenlohr and Sadayappan (ICS 2014, 273), in
/// a simplified implementation of our own: the matrix rows of a view are sorted by length and cut
/// into blocks of 32 rows and at most `width` nonzeros of each row, so that no unit of work is much
/// longer than another. Rows are not sorted across views, and sizes are not chosen by measurement.
std::vector<ParamSpec> brc_params();
std::unique_ptr<MatrixFormat> make_brc(const Params& params);

}  // namespace gantry
