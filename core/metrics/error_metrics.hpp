#pragma once

#include "core/metrics/metric.hpp"

#include <functional>
#include <memory>

namespace gantry {

/// Returns sqrt(mean (x - r)^2) over the mask, in the unit of the images; NaN for an empty mask.
double rmse(const ImagePair& pair);

/// Returns mean |x - r| over the mask, in the unit of the images; NaN for an empty mask.
double mean_absolute_error(const ImagePair& pair);

/// The denominator of an NRMSE. Papers use different denominators, so that the name of the metric
/// states which.
enum class Normalisation {
  range,      ///< max(r) - min(r)
  mean,       ///< mean(r); only if positive, so not for HU
  euclidean,  ///< ||r|| / sqrt(N); the NRMSE then equals relative_error
  deviation,  ///< standard deviation of r (population)
};

/// Returns the RMSE over the mask divided by a scale of the reference over the mask (no unit); NaN
/// if that scale is not positive.
double nrmse(const ImagePair& pair, Normalisation normalisation);

/// Returns ||x - r|| / ||r|| over the mask (no unit); NaN for a reference of zeros.
double relative_error(const ImagePair& pair);

/// Returns 20 log10(range / RMSE) in dB; infinite for equal images, NaN if the range is not
/// positive.
double psnr(const ImagePair& pair);

/// Return the entries for a Registry<Metric>; there are no parameters.
std::unique_ptr<Metric> make_rmse(const Params& params);
std::unique_ptr<Metric> make_mean_absolute_error(const Params& params);
std::unique_ptr<Metric> make_relative_error(const Params& params);
std::unique_ptr<Metric> make_psnr(const Params& params);
/// Returns an entry per denominator, so that each has its own name in lists, curves and files.
std::function<std::unique_ptr<Metric>(const Params&)> make_nrmse(Normalisation by);

}  // namespace gantry
