#pragma once

#include "studies/branchless_dd/workshop.hpp"
#include "studies/product_times.hpp"

namespace gantry::branchless_dd {

/// Whether the study times a method's product: GPU-BZ goes forward as GPU-BL does, so that only its
/// backprojection counts, as in print.
bool is_timed(const Method& method, Direction direction);

/// To bring the operand to the device and the result back; 0 on the processor.
double transfer_seconds(const Projector& projector, Direction direction);

/// What of a product is spent on tables of sums. Of a projection: what does not grow with the
/// views, from the time of one view and of all. Of a backprojection: that of a volume of one voxel,
/// so at most that.
double sums_seconds(const Workshop& workshop, const Method& method, const Setting& setting,
                    Direction direction, double all_s);

/// A product of the processor on so many threads, after a warm-up. Of more than `most_views` views
/// that many are computed, and fewer, and the time goes on in a straight line.
double cpu_seconds(const Workshop& workshop, const Setting& setting, Direction direction,
                   int threads, int most_views);

}  // namespace gantry::branchless_dd
