#pragma once

#include "core/corrections/stripe_change.hpp"

#include <cstddef>
#include <span>

namespace gantry {

/// Returns the number of levels that suits a sinogram: a wavelet of the last level spans at most a
/// 24th of the columns, or 8 columns, and at least 8 coefficients remain along the views. More
/// levels would damp the object itself: from a clean sinogram of 91 views of 160 columns, 5 levels
/// remove three times as much as 3.
int suitable_levels(int views, int columns);

struct WaveletSettings {
  int levels = 5;             ///< a stripe of w columns keeps up to 1.3 w / 2^levels of its height
  double sigma = 2;           ///< width of the damping, waves along the views, above 0
  int vanishing_moments = 5;  ///< of Daubechies' wavelet, 1 to 25
};

/// A measure of the values that were subtracted from a sinogram.
struct RemovedStripes {
  double sum_of_squares = 0;
  float largest = 0;  ///< magnitude
  StripeChange change;
};

/// Removes stripes along the views from a sinogram, [view][column], in place. A wavelet transform
/// of `levels` levels concentrates stripes in the coefficients that are low-pass along the views
/// and high-pass along the columns. In the Fourier transform of these coefficients along the views,
/// the wave of k periods is multiplied by 1 - exp(-k^2 / (2 sigma^2)). (Muench, Trtik, Marone and
/// Stampanoni, "Stripe and ring artifact removal with combined wavelet-Fourier filtering", Optics
/// Express 17 (2009) 8567.) Beyond its ends the sinogram is extended by mirror images: b a | a b c.
RemovedStripes remove_wavelet_stripes(std::span<float> sinogram, int views, int columns,
                                      const WaveletSettings& settings);

/// Returns the memory that remove_wavelet_stripes() takes, bytes.
std::size_t wavelet_workspace_bytes(int views, int columns, const WaveletSettings& settings);

}  // namespace gantry
