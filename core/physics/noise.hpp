#pragma once

#include "core/base/interrupt.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace gantry {

/// Counting statistics of a transmission measurement: I ~ Poisson(I0 exp(-p)) + N(0, sigma).
struct TransmissionNoise {
  double photons_per_ray = 1e5;  ///< I0, what an unattenuated ray counts
  double electronic_sigma = 0;   ///< standard deviation of the read-out, in photons
  std::uint64_t seed = 1;
};

/// Throws UsageError for photons_per_ray outside 1 to 1e15 or a sigma that is negative or not
/// finite.
void require_noise(const TransmissionNoise& noise);

/// noisy = -ln(max(I, 1) / I0), with I drawn about the exact line integrals (no unit). The numbers
/// of a ray depend on the seed and the ray's index alone, not on threads. A line integral that is
/// not finite, or so negative that the mean count passes 1e15, goes through unchanged.
/// Returns how many readings were below one photon and were taken as one.
/// Throws UsageError for photons_per_ray outside 1 to 1e15 or a negative sigma, ShapeError for
/// spans of different sizes, Interrupted when asked to give way (`noisy` is then unfinished).
std::size_t add_transmission_noise(std::span<const float> exact, const TransmissionNoise& noise,
                                   std::span<float> noisy, const Interrupt* interrupt = nullptr);

/// p = -ln(max(I, 1) / I0) of measured counts. Returns how many counts were below one (or not a
/// number) and were taken as one, so that it can be said. Throws like the above.
std::size_t counts_to_line_integrals(std::span<const float> counts, double photons_per_ray,
                                     std::span<float> line_integrals);

/// Throws InputError, naming `where` and the first of them, for counts that no detector reads out:
/// all below one photon, or some below 0 although the read-out has no noise of its own
/// (`electronic_sigma` 0). `place_of` puts the index of a ray into words.
void require_counts(std::span<const float> counts, double electronic_sigma,
                    const std::string& where,
                    const std::function<std::string(std::size_t)>& place_of);

/// I = I0 exp(-p), the inverse of the above where a photon or more is counted. A line integral that
/// is not finite, or that would count more than 1e15, throws InputError. Throws like the above.
void line_integrals_to_counts(std::span<const float> line_integrals, double photons_per_ray,
                              std::span<float> counts);

}  // namespace gantry
