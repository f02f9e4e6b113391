#pragma once

#include <cstddef>
#include <span>

namespace gantry {

/// Returns 1 / variance of the line integral p = -ln(I / I0) of a reading of I photons with
/// electronic noise of standard deviation sigma (photons): I^2 / (I + sigma^2), to first order
/// (Thibault, Bouman, Sauer and Hsieh, "A recursive filter for noise reduction in statistical
/// iterative tomographic imaging", Proc. SPIE 6065 (2006)). Returns 0 for a reading that is not a
/// positive number.
double statistical_weight(double photons, double electronic_sigma);

/// Computes the weights of measured line integrals for weighted least squares, relative to I0:
///   w = I^2 / (I + sigma^2) / I0,  I = I0 exp(-p),  variance of p = 1 / (I0 w),
/// so that an unattenuated ray without electronic noise has weight 1; weights above 1000 become
/// 1000. A reading below one photon that was taken as one photon keeps the small weight of one
/// photon. A line integral that is not finite gets weight 0, never NaN. Returns the number of
/// weights that are 0. Throws UsageError for photons_per_ray outside 1 to 1e15 or a sigma that is
/// negative or not finite, ShapeError for spans of different sizes.
std::size_t statistical_weights(std::span<const float> line_integrals, double photons_per_ray,
                                double electronic_sigma, std::span<float> weights);

/// Returns the norm of the noise that measured line integrals are expected to hold, the root of the
/// sum of their variances (see above). Readings without a photon are left out. Throws UsageError
/// like statistical_weights().
double expected_noise_norm(std::span<const float> line_integrals, double photons_per_ray,
                           double electronic_sigma);

}  // namespace gantry
