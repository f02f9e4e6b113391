#pragma once

namespace gantry {

/// Evenly spaced views of a scan: first, first + stride, ... (`count` of them).
struct ViewSubset {
  int first = 0, stride = 1, count = 0;

  int view(int i) const { return first + i * stride; }
  static ViewSubset all(int views) { return {0, 1, views}; }
  /// Returns the views index, index + subsets, index + 2 subsets, ...
  static ViewSubset interleaved(int index, int subsets, int views) {
    return {index, subsets, (views - index + subsets - 1) / subsets};
  }
  friend bool operator==(const ViewSubset&, const ViewSubset&) = default;
};

}  // namespace gantry
