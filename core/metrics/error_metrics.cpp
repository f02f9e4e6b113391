#include "core/metrics/error_metrics.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

const ErrorSums& sums_of(const ImagePair& pair) {
  if (!pair.sums) pair.sums = sum_errors(pair);
  return *pair.sums;
}

double rmse_of(const ErrorSums& sums) {
  return sums.count > 0 ? std::sqrt(sums.squared_error / sums.count) : nan_value;
}

/// Returns the denominator of the NRMSE.
double scale_of(const ErrorSums& sums, Normalisation normalisation) {
  if (sums.count == 0 || std::isnan(sums.squared_reference)) return nan_value;
  const double mean = sums.shifted / sums.count;
  switch (normalisation) {
    case Normalisation::range:
      return static_cast<double>(sums.high) - sums.low;
    case Normalisation::mean:
      return mean + sums.shift;
    case Normalisation::euclidean:
      return std::sqrt(sums.squared_reference / sums.count);
    case Normalisation::deviation:
      return std::sqrt(std::max(0.0, sums.squared_shifted / sums.count - mean * mean));
  }
  return nan_value;
}

std::string word_of(Normalisation normalisation) {
  switch (normalisation) {
    case Normalisation::range:
      return "range";
    case Normalisation::mean:
      return "mean";
    case Normalisation::euclidean:
      return "euclidean";
    case Normalisation::deviation:
      return "deviation";
  }
  return {};
}

}  // namespace

double rmse(const ImagePair& pair) { return rmse_of(sums_of(pair)); }

double mean_absolute_error(const ImagePair& pair) {
  const ErrorSums& sums = sums_of(pair);
  return sums.count > 0 ? sums.absolute_error / sums.count : nan_value;
}

double nrmse(const ImagePair& pair, Normalisation normalisation) {
  const ErrorSums& sums = sums_of(pair);
  const double scale = scale_of(sums, normalisation);
  return scale > 0 ? rmse_of(sums) / scale : nan_value;
}

double relative_error(const ImagePair& pair) { return nrmse(pair, Normalisation::euclidean); }

double psnr(const ImagePair& pair) {
  if (!(pair.range > 0)) return nan_value;
  return 20 * std::log10(pair.range / rmse(pair));
}

std::unique_ptr<Metric> make_rmse(const Params&) {
  return std::make_unique<Metric>("RMSE", "1/mm", true, rmse);
}

std::unique_ptr<Metric> make_mean_absolute_error(const Params&) {
  return std::make_unique<Metric>("MAE", "1/mm", true, mean_absolute_error);
}

std::function<std::unique_ptr<Metric>(const Params&)> make_nrmse(Normalisation by) {
  return [by](const Params&) {
    return std::make_unique<Metric>("NRMSE (" + word_of(by) + ")", "", true,
                                    [by](const ImagePair& pair) { return nrmse(pair, by); });
  };
}

std::unique_ptr<Metric> make_relative_error(const Params&) {
  return std::make_unique<Metric>("Relative error", "", true, relative_error);
}

std::unique_ptr<Metric> make_psnr(const Params&) {
  return std::make_unique<Metric>("PSNR", "dB", false, psnr);
}

}  // namespace gantry
