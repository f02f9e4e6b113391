#pragma once

#include "core/corrections/stripe_change.hpp"

#include <cstddef>
#include <span>

namespace gantry {

/// Returns the levels that suit a sinogram: a wavelet of the last one reaches over a 24th of the
/// columns, or 8 of them, and there remain 8 coefficients along the views. Otherwise the waves that
/// are damped are those of the object: of a clean sinogram of 91 views of 160 columns, 5 levels
/// take three times as much as 3.
int suitable_levels(int views, int columns);

struct WaveletSettings {
  int levels = 5;             ///< a stripe of w columns keeps up to 1.3 w / 2^levels of its height
  double sigma = 2;           ///< width of the damping, waves along the views, above 0
  int vanishing_moments = 5;  ///< of Daubechies' wavelet, 1 to 25
};

/// What was subtracted from the values of a sinogram.
struct RemovedStripes {
  double sum_of_squares = 0;
  float largest = 0;  ///< magnitude
  StripeChange change;
};

/// Removes stripes along the views from a sinogram, [view][column], in place. A wavelet transform
/// of `levels` levels gathers them in the coefficients that are smooth along the views and detailed
/// along the columns. Of these coefficients, k waves along the views are multiplied by 1 - exp(-k^2
/// / (2 sigma^2)). (Muench, Trtik, Marone and Stampanoni, "Stripe and ring artifact removal with
/// combined wavelet-Fourier filtering", Optics Express 17 (2009) 8567.) Beyond its ends the
/// sinogram is continued as in a mirror: b a | a b c.
RemovedStripes remove_wavelet_stripes(std::span<float> sinogram, int views, int columns,
                                      const WaveletSettings& settings);

/// Returns the memory that remove_wavelet_stripes() takes, bytes.
std::size_t wavelet_workspace_bytes(int views, int columns, const WaveletSettings& settings);

}  // namespace gantry
