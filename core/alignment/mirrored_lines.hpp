#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// The axis about which lines are the mirror images of others.
struct MirrorAxis {
  double column = 0;          ///< a fractional index
  double error = 0;           ///< standard error of it from groups of lines; 0 for a single line
  double difference = 0;      ///< the mean squared difference there
  double mismatch = 1;        ///< the squared difference there, relative to the squared deviations
  double other_mismatch = 1;  ///< of the second lowest minimum, if that is below 1
};

/// Lines, each with another one that is its mirror image about one axis common to all.
class MirroredLines {
 public:
  explicit MirroredLines(int columns) : columns_(columns) {}

  /// Adds as many lines as mirror images, [line][column]. They are smoothed, so that the mismatch
  /// at the axis is less one of noise.
  void add(std::span<const double> one, std::span<const double> other);
  std::size_t count() const { return one_.size() / static_cast<std::size_t>(columns_); }

  /// Returns the axis of the least squared difference, relative to the squared deviations from the
  /// mean of each line, with at least such a part of the columns in the overlap. It is searched
  /// with at most 512 columns and lines, and refined with all of them: by a parabola through the
  /// mean squared difference. That one is not divided by the deviations there, because these grow
  /// with the overlap and would displace the axis of noisy lines. Returns nothing for an axis that
  /// the overlap excludes, and without lines.
  std::optional<MirrorAxis> axis(double least_overlap) const;
  /// Returns the mean squared difference of the lines mirrored about the middle column.
  double difference_about_middle() const;

 private:
  int columns_;
  std::vector<float> one_, other_;  // [line][column]
};

}  // namespace gantry
