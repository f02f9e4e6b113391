#pragma once

#include "core/geometry/bench_cases.hpp"

namespace gantry {

/// The same with all numbers of cells, views and voxels times `scale`, over the same lengths and
/// angles; views a multiple of `views_of`, for scans whose symmetry hangs on that.
BenchCase scaled(const BenchCase& setting, double scale, int views_of = 1);

}  // namespace gantry
