#pragma once

#include "core/metrics/metric.hpp"

#include <functional>
#include <memory>

namespace gantry {

/// sqrt(mean (x - r)^2) over the mask, in the unit of the images. NaN for an empty selection.
double rmse(const ImagePair& pair);

/// mean |x - r| over the mask, in the unit of the images. NaN for an empty selection.
double mean_absolute_error(const ImagePair& pair);

/// What an RMSE is divided by; papers differ, so it is always named.
enum class Normalisation {
  range,      ///< max(r) - min(r)
  mean,       ///< mean(r); only where it is positive, so not for HU
  euclidean,  ///< ||r|| / sqrt(N): the same number as relative_error
  deviation,  ///< standard deviation of r (population)
};

/// RMSE over the mask divided by a scale of the reference over the mask (no unit). NaN where that
/// scale is not a positive number.
double nrmse(const ImagePair& pair, Normalisation normalisation);

/// ||x - r|| / ||r|| over the mask (no unit). NaN for a reference of zeros.
double relative_error(const ImagePair& pair);

/// 20 log10(range / RMSE) in dB. Infinite for equal images, NaN where the range is not positive.
double psnr(const ImagePair& pair);

/// Entries for a Registry<Metric>; no parameters.
std::unique_ptr<Metric> make_rmse(const Params& params);
std::unique_ptr<Metric> make_mean_absolute_error(const Params& params);
std::unique_ptr<Metric> make_relative_error(const Params& params);
std::unique_ptr<Metric> make_psnr(const Params& params);
/// An entry per denominator, so that each has its name in lists, curves and files.
std::function<std::unique_ptr<Metric>(const Params&)> make_nrmse(Normalisation by);

}  // namespace gantry
