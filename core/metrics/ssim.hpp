#pragma once

#include "core/metrics/metric.hpp"

#include <memory>

namespace gantry {

/// Returns the mean structural similarity: Wang, Bovik, Sheikh and Simoncelli, IEEE Trans. Image
/// Process. 13 (2004) 600. Gaussian window of 11 x 11 pixels, sigma 1.5 pixels, population weights,
/// K1 = 0.01, K2 = 0.03, L = pair.range; the mean is over the positions where the window fits into
/// a slice, slice by slice, without the downsampling of the authors' later program. A mask selects
/// positions of the map; values outside the mask still enter the windows near its rim. A position
/// whose window holds a value that is not finite is left out if that value lies outside the mask.
/// Returns NaN for slices below 11 x 11 pixels, a range that is not positive, a selected value that
/// is not finite, or a mask without a position where the window fits. Throws ShapeError if x,
/// reference or mask do not have the grid's size.
double ssim(const ImagePair& pair);

/// Returns the entry for a Registry<Metric>; there are no parameters.
std::unique_ptr<Metric> make_ssim(const Params& params);

}  // namespace gantry
