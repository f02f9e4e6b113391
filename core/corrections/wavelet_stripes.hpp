#pragma once

#include <cstddef>
#include <span>

namespace gantry {

struct WaveletSettings {
  int levels = 5;             ///< a stripe of w columns keeps up to 1.3 w / 2^levels of its height
  double sigma = 2;           ///< width of the damping, waves along the views, above 0
  int vanishing_moments = 5;  ///< of Daubechies' wavelet, 1 to 25
};

/// What was subtracted from the values of a sinogram.
struct RemovedStripes {
  double sum_of_squares = 0;
  float largest = 0;  ///< magnitude
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
