#pragma once

#include <functional>

namespace gantry {

/// Returns whether frames that were taken as flats by a doubtful name are darks: if their mean is
/// below a quarter of that of the darkest projection. The beam without an object cannot be darker
/// than with it. `mean_of_projection` is called for a few of the `projections`, spread over the
/// scan.
bool are_darks(double mean_of_flat, int projections,
               const std::function<double(int)>& mean_of_projection);

}  // namespace gantry
