#pragma once

#include "studies/branchless_dd/branchless_context.hpp"
#include "studies/product_times.hpp"

namespace gantry::branchless_dd {

/// Returns whether the study times a method's product. The projection of GPU-BZ is that of GPU-BL,
/// so that only its backprojection is timed, as in print.
bool is_timed(const Method& method, Direction direction);

/// Returns the time, s, that a product spends on tables of prefix sums. Projection: the part of the
/// time that does not grow with the number of views, from the time of one view and that of all
/// views, `all_s`. Backprojection: the time for a volume of one voxel, which is an upper bound.
double sums_seconds(const BranchlessContext& context, const Method& method, const Setting& setting,
                    Direction direction, double all_s);

/// Returns the time of a product on the CPU with `threads` threads, s, after a warm-up. Of scans
/// with more than `most_views` views, `most_views` views and a quarter of these are timed, and the
/// time is extrapolated linearly.
double cpu_seconds(const BranchlessContext& context, const Setting& setting, Direction direction,
                   int threads, int most_views);

}  // namespace gantry::branchless_dd
