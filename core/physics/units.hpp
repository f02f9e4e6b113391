#pragma once

namespace gantry {

/// Attenuation of water near 70 keV, 1/mm; the default wherever HU and 1/mm are converted.
constexpr double default_mu_water = 0.02;

/// Limits of what can be set as the attenuation of water, 1/mm.
constexpr double least_mu_water = 1e-6, largest_mu_water = 100;

constexpr double hu_from_mu(double mu, double mu_water) {
  return 1000.0 * (mu - mu_water) / mu_water;
}
constexpr double mu_from_hu(double hu, double mu_water) { return mu_water * (1.0 + hu / 1000.0); }

}  // namespace gantry
