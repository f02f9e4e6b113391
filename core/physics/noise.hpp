#pragma once

#include "core/base/interrupt.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace gantry {

/// Parameters of the noise of a transmission measurement: I ~ Poisson(I0 exp(-p)) + N(0, sigma).
struct TransmissionNoise {
  double photons_per_ray = 1e5;  ///< I0, counts of an unattenuated ray
  double electronic_sigma = 0;   ///< sigma of the read-out noise, in photons
  std::uint64_t seed = 1;
};

/// Throws UsageError for photons_per_ray outside 1 to 1e15 or a sigma that is negative or not
/// finite.
void require_noise(const TransmissionNoise& noise);

/// Computes noisy = -ln(max(I, 1) / I0) for each ray, with I drawn about the exact line integrals
/// (no unit). The random numbers of a ray depend only on the seed and the ray's index, not on the
/// threads. A line integral that is not finite, or so negative that the mean count exceeds 1e15, is
/// copied unchanged. Returns the number of readings that were below one photon and were taken as
/// one photon. Throws UsageError like require_noise(), ShapeError for spans of different sizes, and
/// Interrupted (`noisy` is then incomplete).
std::size_t add_transmission_noise(std::span<const float> exact, const TransmissionNoise& noise,
                                   std::span<float> noisy, const Interrupt* interrupt = nullptr);

/// Computes the line integrals p = -ln(max(I, 1) / I0) of measured counts. Returns the number of
/// counts that were below one photon (or NaN) and were taken as one photon, so that the caller can
/// report them. Throws UsageError for photons_per_ray outside 1 to 1e15, ShapeError for spans of
/// different sizes.
std::size_t counts_to_line_integrals(std::span<const float> counts, double photons_per_ray,
                                     std::span<float> line_integrals);

/// Throws InputError, naming `where` and the first such ray, for counts that no detector reads out:
/// all of them below one photon, some above 1e15, or some negative although the read-out has no
/// noise (electronic_sigma is 0). `place_of` returns a description of the ray with a given index.
void require_counts(std::span<const float> counts, double electronic_sigma,
                    const std::string& where,
                    const std::function<std::string(std::size_t)>& place_of);

/// Computes the counts I = I0 exp(-p), the inverse of counts_to_line_integrals() for at least one
/// photon. Throws InputError if a line integral is not finite or gives more than 1e15 photons,
/// otherwise like counts_to_line_integrals().
void line_integrals_to_counts(std::span<const float> line_integrals, double photons_per_ray,
                              std::span<float> counts);

}  // namespace gantry
