#pragma once

#include "core/base/error.hpp"

#include <array>

namespace gantry {

/// What becomes of a DICOM series whose slices are not one even, upright stack.
enum class UnevenSlices {
  refuse,    ///< uneven ones; slices that a gantry tilt shears evenly stay as they were measured
  resample,  ///< interpolated linearly onto an even, upright grid
  largest_part,  ///< the most slices in a row that are evenly spaced
};

/// Their names in files and on the command line, in that order.
inline constexpr std::array uneven_words = {"refuse", "resample", "largest-part"};

/// A series that one of the other ways would open.
class UnevenSeries : public InputError {
  using InputError::InputError;
};

}  // namespace gantry
