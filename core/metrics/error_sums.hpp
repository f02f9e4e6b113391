#pragma once

#include <limits>

namespace gantry {

/// Sums over the selected voxels of an image x and its reference r, from which every error metric
/// follows. `shift` is the first value of the reference: sums relative to a nearby value lose no
/// digits when the values lie far from zero (HU).
struct ErrorSums {
  double count = 0, squared_error = 0, absolute_error = 0, squared_reference = 0;
  double shift = 0, shifted = 0, squared_shifted = 0;  ///< sums of r - shift and its square
  float low = std::numeric_limits<float>::infinity(), high = -low;  ///< extrema of r

  ErrorSums& operator+=(const ErrorSums& other);
};

struct ImagePair;
/// Computes the sums in double precision per block of voxels and adds the blocks in order, so that
/// the result does not depend on the number of threads. Throws ShapeError if x, reference or mask
/// do not have the grid's size.
ErrorSums sum_errors(const ImagePair& pair);

}  // namespace gantry
