#pragma once

#include <span>
#include <vector>

namespace gantry {

/// Replaces the values of lines by the medians of windows about them. Beyond its ends a line is
/// extended by its mirror image: b a | a b c. Keeps its memory from line to line.
class SlidingMedian {
 public:
  /// `window`: values, 1 or more; an even number has its middle behind the value.
  explicit SlidingMedian(int window) : window_(window) {}
  void apply(std::span<float> line);

 private:
  int window_;
  std::vector<float> sorted_, padded_;
};

}  // namespace gantry
