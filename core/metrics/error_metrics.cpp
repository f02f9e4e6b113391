// Sums are kept in double per block of voxels and added in block order: the same on any number of
// threads. Deviation and mean of the reference come from sums about its first voxel, which costs no
// digits when the values lie far from zero (HU).
#include "core/metrics/error_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Sums over the selected voxels; `shift` is taken off the reference in the last two.
struct Sums {
  double count = 0, squared_error = 0, squared_reference = 0;
  double shifted = 0, squared_shifted = 0;

  Sums& operator+=(const Sums& other) {
    count += other.count;
    squared_error += other.squared_error;
    squared_reference += other.squared_reference;
    shifted += other.shifted;
    squared_shifted += other.squared_shifted;
    return *this;
  }
};

Sums sum_block(const ImagePair& pair, double shift, std::size_t first, std::size_t last) {
  Sums sums;
  for (std::size_t i = first; i < last; ++i) {
    if (!pair.mask.empty() && pair.mask[i] == 0) continue;
    const double r = pair.reference[i], error = pair.x[i] - r, shifted = r - shift;
    sums.count += 1;
    sums.squared_error += error * error;
    sums.squared_reference += r * r;
    sums.shifted += shifted;
    sums.squared_shifted += shifted * shifted;
  }
  return sums;
}

double shift_of(const ImagePair& pair) {
  return pair.reference.empty() ? 0.0 : static_cast<double>(pair.reference.front());
}

Sums sum_up(const ImagePair& pair) {
  require_shapes(pair);
  constexpr std::size_t block = 1 << 14;
  std::vector<Sums> parts((pair.x.size() + block - 1) / block);
  const double shift = shift_of(pair);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t b = 0; b < static_cast<std::ptrdiff_t>(parts.size()); ++b) {
    const auto part = static_cast<std::size_t>(b);
    const std::size_t last = std::min(pair.x.size(), (part + 1) * block);
    parts[part] = sum_block(pair, shift, part * block, last);
  }
  Sums total;
  for (const Sums& part : parts) total += part;
  return total;
}

double rmse_of(const Sums& sums) {
  return sums.count > 0 ? std::sqrt(sums.squared_error / sums.count) : nan;
}

/// The denominator of an NRMSE.
double scale_of(const ImagePair& pair, const Sums& sums, Normalisation normalisation) {
  if (sums.count == 0) return nan;
  const double mean = sums.shifted / sums.count;
  switch (normalisation) {
    case Normalisation::range:
      return range_of(pair.reference, pair.mask);
    case Normalisation::mean:
      return mean + shift_of(pair);
    case Normalisation::euclidean:
      return std::sqrt(sums.squared_reference / sums.count);
    case Normalisation::deviation:
      return std::sqrt(std::max(0.0, sums.squared_shifted / sums.count - mean * mean));
  }
  return nan;
}

Normalisation normalisation_of(const std::string& word) {
  if (word == "mean") return Normalisation::mean;
  if (word == "euclidean") return Normalisation::euclidean;
  if (word == "deviation") return Normalisation::deviation;
  return Normalisation::range;
}

}  // namespace

double rmse(const ImagePair& pair) { return rmse_of(sum_up(pair)); }

double nrmse(const ImagePair& pair, Normalisation normalisation) {
  const Sums sums = sum_up(pair);
  const double scale = scale_of(pair, sums, normalisation);
  return scale > 0 ? rmse_of(sums) / scale : nan;
}

double relative_error(const ImagePair& pair) { return nrmse(pair, Normalisation::euclidean); }

double psnr(const ImagePair& pair) {
  if (!(pair.range > 0)) return nan;
  return 20 * std::log10(pair.range / rmse(pair));
}

std::unique_ptr<Metric> make_rmse(const Params&) {
  return std::make_unique<Metric>("RMSE", "1/mm", true, rmse);
}

std::unique_ptr<Metric> make_nrmse(const Params& params) {
  const std::string by = params.text("by");
  const Normalisation normalisation = normalisation_of(by);
  return std::make_unique<Metric>(
      "NRMSE (" + by + ")", "", true,
      [normalisation](const ImagePair& pair) { return nrmse(pair, normalisation); });
}

std::unique_ptr<Metric> make_relative_error(const Params&) {
  return std::make_unique<Metric>("Relative error", "", true, relative_error);
}

std::unique_ptr<Metric> make_psnr(const Params&) {
  return std::make_unique<Metric>("PSNR", "dB", false, psnr);
}

std::vector<ParamSpec> nrmse_params() {
  return {{.key = "by",
           .label = "Divided by",
           .unit = "",
           .fallback = std::string("range"),
           .choices = {"range", "mean", "euclidean", "deviation"},
           .help = "The scale of the reference that the RMSE is divided by."}};
}

}  // namespace gantry
