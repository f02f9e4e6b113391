#include "core/solvers/direct/ramp_filter.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

namespace gantry {

namespace {

/// Returns the taps h[k] of the filter, times the sampling step, for k = 0 .. count - 1.
std::vector<double> taps(const ScanGeometry& geometry, std::size_t count) {
  const ScanSpec& spec = geometry.spec();
  std::vector<double> h(count, 0.0);
  if (spec.detector == DetectorShape::arc) {
    const double db = spec.column_pitch_mm / spec.source_to_detector_mm;
    h[0] = 1 / (8 * db);
    for (std::size_t k = 1; k < count; k += 2) {
      const double s = pi * std::sin(std::min(static_cast<double>(k) * db, pi / 2));
      h[k] = -db / (2 * s * s);
    }
    return h;
  }
  const double tau = geometry.column_pitch_at_isocenter_mm();
  // A diverging beam measures every line twice in a full turn, so that the ramp is halved (Kak and
  // Slaney 1988, eq. 3.142).
  const double share = spec.beam == Beam::parallel ? 1.0 : 0.5;
  h[0] = share / (4 * tau);
  for (std::size_t k = 1; k < count; k += 2)
    h[k] = -share / (pi * pi * static_cast<double>(k) * static_cast<double>(k) * tau);
  return h;
}

double window_at(const std::string& window,
                 double frequency) {  // frequency in [0, 1] of the cut-off
  if (frequency > 1) return 0;
  const double x = pi * frequency;
  if (window == "ram-lak") return 1;
  if (window == "shepp-logan") return frequency == 0 ? 1 : std::sin(x / 2) / (x / 2);
  if (window == "cosine") return std::cos(x / 2);
  if (window == "hamming") return 0.54 + 0.46 * std::cos(x);
  if (window == "hann") return 0.5 + 0.5 * std::cos(x);
  throw UsageError("unknown filter window \"" + window + "\"", "window",
                   "use one of " + joined(ramp_windows()));
}

}  // namespace

const std::vector<std::string>& ramp_windows() {
  static const std::vector<std::string> names = {"ram-lak", "shepp-logan", "cosine", "hamming",
                                                 "hann"};
  return names;
}

struct RampFilter::Transforms {
  kissfft<double> there, back;
};

RampFilter::RampFilter(const ScanGeometry& geometry, const std::string& window, double cutoff)
    : padded_(std::bit_ceil(2 * static_cast<std::size_t>(geometry.columns()))),
      transforms_(std::make_shared<Transforms>(
          Transforms{kissfft<double>(padded_, false), kissfft<double>(padded_, true)})),
      response_(padded_) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const std::vector<double> h = taps(geometry, columns);
  std::vector<std::complex<double>> kernel(padded_), spectrum(padded_);
  kernel[0] = h[0];
  for (std::size_t k = 1; k < columns; ++k) kernel[k] = kernel[padded_ - k] = h[k];
  transforms_->there.transform(kernel.data(), spectrum.data());
  for (std::size_t f = 0; f < padded_; ++f) {
    const auto nearest = static_cast<double>(std::min(f, padded_ - f)),
               nyquist_share = 2 * nearest / static_cast<double>(padded_);
    response_[f] = spectrum[f].real() * window_at(window, nyquist_share / cutoff) /
                   static_cast<double>(padded_);
  }
}

void RampFilter::apply(std::span<float> first, std::span<float> second) const {
  // The filter is real and even: two rows can pass it as real and imaginary part without mixing.
  std::vector<std::complex<double>> values(padded_), spectrum(padded_);
  for (std::size_t i = 0; i < first.size(); ++i)
    values[i] = {first[i], i < second.size() ? second[i] : 0.0};
  transforms_->there.transform(values.data(), spectrum.data());
  for (std::size_t f = 0; f < padded_; ++f) spectrum[f] *= response_[f];
  transforms_->back.transform(spectrum.data(), values.data());
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<float>(values[i].real());
  for (std::size_t i = 0; i < second.size(); ++i) second[i] = static_cast<float>(values[i].imag());
}

}  // namespace gantry
