#pragma once

#include "core/metrics/metric.hpp"

#include <memory>

namespace gantry {

/// Mean structural similarity: Wang, Bovik, Sheikh and Simoncelli, IEEE Trans. Image Process. 13
/// (2004) 600. Gaussian window of 11 x 11 pixels, sigma 1.5, population weights, K1 = 0.01,
/// K2 = 0.03, L = pair.range; the mean over the positions where the window fits into a slice, slice
/// by slice, without the reduction in size of the authors' later program. A mask selects positions
/// of the map; what lies outside it still enters the windows near its rim. A position whose window
/// holds a value that is not finite is left out where the mask leaves out that value.
/// NaN for slices below 11 x 11 pixels, a range that is not positive, a value of the mask that is
/// not finite, or a mask without a position where the window fits. Throws ShapeError.
double ssim(const ImagePair& pair);

/// Entry for a Registry<Metric>; no parameters.
std::unique_ptr<Metric> make_ssim(const Params& params);

}  // namespace gantry
