#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// Tells what columns of a sinogram show of the object from stripes, by the columns on the other
/// side of the axis. What all views show in the same columns is symmetric about the axis if it
/// belongs to the object, such as the walls of a tube; over a whole turn, all sorted values are. A
/// cell of the detector that is off has no such image.
///
/// A value counts as seen on both sides as far as a value near its mirror image, one column off at
/// most, has the same sign. Unless the axis is on a whole or half column, the walls of thin tubes
/// have different profiles on both sides: then, and of steps, means with the neighbours, 1 to 2
/// to 1, are compared with their mirror images, interpolated between columns and half a column off
/// at most, and four fifths count as the whole. A value counts only where, among the 33 columns
/// around, most of what stands out is alike on both sides, because single values are so by chance,
/// too.
class MirroredColumns {
 public:
  /// `axis`: a fractional index of a column; nothing where the axis is unknown.
  explicit MirroredColumns(std::optional<double> axis = {}) : axis_(axis) {}

  bool are_known() const { return axis_.has_value(); }
  /// Replaces what lines, [line][column], show above or below their surroundings by the part of it
  /// that is seen on both sides of the axis; by 0 where the axis is unknown.
  void keep_common(std::span<float> lines, std::size_t columns) const;
  /// Returns the part of the steps of a line, each from the column before to its column, that is
  /// seen on both sides. Where the object has an edge, its image has the opposite step. Peaks of
  /// one or two columns are no part of it: those of an object would not be as narrow.
  std::vector<float> common_steps(std::span<const float> steps) const;

 private:
  std::optional<double> axis_;
};

}  // namespace gantry
