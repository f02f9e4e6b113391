#pragma once

#include "core/base/error.hpp"

#include <array>
#include <cstddef>
#include <string>

namespace gantry {

/// What to do with a DICOM series whose slices are not one even, upright stack.
enum class UnevenSlices {
  refuse,        ///< refuse uneven slices; slices evenly sheared by a gantry tilt stay as measured
  resample,      ///< interpolate linearly onto an even, upright grid
  largest_part,  ///< keep the longest run of evenly spaced slices
};

/// The names of the values of UnevenSlices in files and on the command line, in their order.
inline constexpr std::array uneven_words = {"refuse", "resample", "largest-part"};

/// The error about a series that another value of UnevenSlices would load.
class UnevenSeries : public InputError {
 public:
  /// `kept` of the `slices` slices are the largest part. The message names the options of the
  /// command line that would load the series; problem() and outcome() are for other interfaces.
  UnevenSeries(const std::string& problem, const std::string& where, int kept, int slices);

  /// Returns this error with an addition to its problem.
  UnevenSeries with_more(const std::string& problem) const {
    return {reason_ + "; " + problem, where_, kept_, outcomes_};
  }

  /// Returns one line: what is uneven, and where.
  const std::string& problem() const { return problem_; }
  /// Returns what `way` makes of the series: "interpolated onto an even grid", "3 of its 5 slices".
  const std::string& outcome(UnevenSlices way) const {
    return outcomes_[static_cast<std::size_t>(way)];
  }
  /// Returns the number of slices of the largest part.
  int kept() const { return kept_; }

 private:
  UnevenSeries(const std::string& problem, const std::string& where, int kept,
               std::array<std::string, uneven_words.size()> outcomes);

  std::string reason_, where_, problem_;
  std::array<std::string, uneven_words.size()> outcomes_;
  int kept_;
};

}  // namespace gantry
