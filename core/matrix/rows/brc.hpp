#pragma once

#include "core/base/params.hpp"
#include "core/matrix/matrix_format.hpp"

#include <vector>

namespace gantry {

/// Blocked row-column storage after Ashari, Sedaghati, Eisenlohr and Sadayappan (ICS 2014, 273), a
/// simplified implementation of our own: the rows of a view are sorted by length and cut into
/// blocks of 32 rows and at most `width` columns, so that no unit of work is much longer than
/// another. Left out: sorting across views, and the choice of sizes by measurement.
std::vector<ParamSpec> brc_params();
std::unique_ptr<MatrixFormat> make_brc(const Params& params);

}  // namespace gantry
