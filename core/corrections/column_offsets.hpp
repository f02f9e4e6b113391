#pragma once

#include <cstddef>
#include <span>

namespace gantry {

/// Takes offsets off columns of a sinogram, [view][column], in place, that are the same in all
/// views, as cells of another gain leave them in line integrals: stripes of up to a third of
/// `window` columns. Returns how many columns that were.
///
/// A stripe is told by its two edges. The step from a column to the next is the median of the
/// differences of all views, which an object's edge that passes through does not move; beside the
/// median of `window` steps, which is the slope of the object there, it stands out by more than
/// 2 `snr` standard deviations. A stripe reaches from an edge to the first one at which the steps
/// of edges, or all steps, add up to less than 35 % of the highest offset in between or to less
/// than `snr` standard deviations, whichever is more. Its offsets are the sum of all steps, less a
/// straight line that closes the rest. So a slope of the object stays, of which the median of
/// values across a wide stripe keeps a part. What an object shows in the same columns in all views,
/// a rod on the axis, is a stripe as well.
std::size_t take_off_column_offsets(std::span<float> sinogram, int views, int columns, double snr,
                                    int window);

}  // namespace gantry
