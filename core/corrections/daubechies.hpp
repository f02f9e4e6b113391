#pragma once

#include <vector>

namespace gantry {

inline constexpr int most_vanishing_moments = 25;  ///< beyond, its roots lose too many digits

/// Returns the lowpass filter of Daubechies' orthonormal wavelet of `vanishing_moments`, 1 (Haar's)
/// to most_vanishing_moments: twice as many numbers, of the sum sqrt(2), of minimum phase. It is
/// ((1 + x) / 2)^N times the roots within the unit circle of sum_k binom(N - 1 + k, k) y^k, y = (2
/// - x - 1/x) / 4. (Daubechies, Communications on Pure and Applied Mathematics 41 (1988) 909.)
std::vector<double> daubechies_lowpass(int vanishing_moments);

}  // namespace gantry
