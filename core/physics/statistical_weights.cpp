#include "core/physics/statistical_weights.hpp"

#include "core/base/error.hpp"
#include "core/physics/noise.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

double statistical_weight(double photons, double electronic_sigma) {
  if (!(photons > 0)) return 0;  // also catches NaN
  return photons / (1 + electronic_sigma * electronic_sigma / photons);
}

std::size_t statistical_weights(std::span<const float> line_integrals, double photons_per_ray,
                                double electronic_sigma, std::span<float> weights) {
  require_noise({.photons_per_ray = photons_per_ray, .electronic_sigma = electronic_sigma});
  if (line_integrals.size() != weights.size())
    throw ShapeError("line integrals and weights differ in size");
  // The limit keeps a faulty reading (far more photons than I0) from outweighing all other
  // readings.
  constexpr double largest = 1e3;
  std::size_t zeros = 0;
#pragma omp parallel for schedule(static) reduction(+ : zeros)
  for (std::ptrdiff_t ray = 0; ray < static_cast<std::ptrdiff_t>(weights.size()); ++ray) {
    const auto i = static_cast<std::size_t>(ray);
    const double p = line_integrals[i], photons = photons_per_ray * std::exp(-p);
    const double weight =
        std::isfinite(p) ? statistical_weight(photons, electronic_sigma) / photons_per_ray : 0;
    weights[i] = static_cast<float>(std::min(weight, largest));
    zeros += weights[i] > 0 ? 0 : 1;
  }
  return zeros;
}

double expected_noise_norm(std::span<const float> line_integrals, double photons_per_ray,
                           double electronic_sigma) {
  require_noise({.photons_per_ray = photons_per_ray, .electronic_sigma = electronic_sigma});
  double square = 0;
  for (const float p : line_integrals) {
    const double weight =
        statistical_weight(photons_per_ray * std::exp(-static_cast<double>(p)), electronic_sigma);
    if (weight > 0 && std::isfinite(weight)) square += 1 / weight;
  }
  return std::sqrt(square);
}

}  // namespace gantry
