#pragma once

#include "core/corrections/symmetry/mirrored_columns.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// Subtracts offsets that columns of a sinogram, [view][column], have in all views, as cells with a
/// different gain cause them in line integrals. Works in place, on stripes of up to a third of
/// `window` columns. Returns the number of corrected columns.
///
/// A stripe is found by its two edges. The step from a column to the next one is the median of
/// their difference over all views, which is not affected by edges of the object that pass through.
/// An edge is a step that differs from the median of `window` steps, the slope of the object there,
/// by more than 2 `snr` standard deviations. A stripe reaches from an edge to the first further
/// edge at which the steps of edges, or all steps, add up to less than 35 % of the largest offset
/// in between or to less than `snr` standard deviations, whichever is more. The narrowest stripes
/// are taken off first, because an edge of the object near a stripe could pass for one of its own.
/// The offsets are the sums of all steps, less a straight line, so that they end at 0 behind the
/// stripe. In this way a slope of the object is kept, of which medians of values across a wide
/// stripe would lose a part. An object that all views show in the same columns, such as a tube
/// about the axis, has the same edges on the other side of the axis: what steps have in common with
/// their mirror images stays. Where the axis is unknown, such an object is taken for a stripe. In
/// `kept`, if given, the columns become 1 that would be corrected if it were unknown.
std::size_t take_off_column_offsets(std::span<float> sinogram, int views, int columns, double snr,
                                    int window, const MirroredColumns& mirrored = MirroredColumns(),
                                    std::vector<char>* kept = nullptr);

}  // namespace gantry
