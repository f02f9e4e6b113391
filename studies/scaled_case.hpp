#pragma once

#include "core/geometry/bench_cases.hpp"

namespace gantry {

/// Returns a case with `scale` times the numbers of cells, views and voxels over the same lengths
/// and angles. The number of views is rounded down to a multiple of `views_of`, for scans whose
/// symmetry depends on it.
BenchCase scaled(const BenchCase& setting, double scale, int views_of = 1);

}  // namespace gantry
