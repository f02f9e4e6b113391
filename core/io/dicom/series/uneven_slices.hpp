#pragma once

#include "core/base/error.hpp"

#include <array>
#include <cstddef>
#include <string>

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
 public:
  /// `kept` of its `slices` are the largest part. The error says how the command line asks for
  /// either way; problem() and outcome() are for whoever asks in another way.
  UnevenSeries(const std::string& problem, const std::string& where, int kept, int slices);

  /// The same series, whose problem has more to it.
  UnevenSeries with_more(const std::string& problem) const {
    return {reason_ + "; " + problem, where_, kept_, outcomes_};
  }

  /// One line: what is uneven, and where.
  const std::string& problem() const { return problem_; }
  /// What a way makes of the series: "interpolated onto an even grid", "3 of its 5 slices".
  const std::string& outcome(UnevenSlices way) const {
    return outcomes_[static_cast<std::size_t>(way)];
  }
  int kept() const { return kept_; }

 private:
  UnevenSeries(const std::string& problem, const std::string& where, int kept,
               std::array<std::string, uneven_words.size()> outcomes);

  std::string reason_, where_, problem_;
  std::array<std::string, uneven_words.size()> outcomes_;
  int kept_;
};

}  // namespace gantry
