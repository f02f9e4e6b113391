#pragma once

#include <limits>

namespace gantry {

/// Sums over the selected voxels of an image x and its reference r, from which every error metric
/// follows. `shift` is a value near the reference's: sums about it cost no digits when the values
/// lie far from zero (HU).
struct ErrorSums {
  double count = 0, squared_error = 0, absolute_error = 0, squared_reference = 0;
  double shift = 0, shifted = 0, squared_shifted = 0;               ///< of r - shift
  float low = std::numeric_limits<float>::infinity(), high = -low;  ///< of r

  ErrorSums& operator+=(const ErrorSums& other);
};

struct ImagePair;
/// Sums of double precision per block of voxels, added in block order: the same on any number of
/// threads. Throws ShapeError.
ErrorSums sum_errors(const ImagePair& pair);

}  // namespace gantry
