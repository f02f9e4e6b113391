#pragma once

// How a stored matrix is multiplied for a subset of the views: the forward product computes the
// matrix rows of these views alone; the backprojection reads only their elements of its operand.
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// The matrix rows of views first, first + stride, ..., `count` of them with `cells` rows each.
struct ViewRange {
  int first, stride, count, cells;

  /// Returns the index of the n-th of these matrix rows.
  GANTRY_HD std::int64_t row(std::int64_t nth) const {
    return (first + nth / cells * stride) * std::int64_t{cells} + nth % cells;
  }
  GANTRY_HD std::int64_t rows() const { return std::int64_t{count} * cells; }
  GANTRY_HD bool has(std::int64_t row) const {
    const std::int64_t beyond = row / cells - first;
    return beyond >= 0 && beyond % stride == 0 && beyond / stride < count;
  }
};

/// The operand of a product. If Filtered, elements outside of `views` count as 0, whatever their
/// value.
template <bool Filtered>
struct Operand {
  const float* value;
  ViewRange views;

  GANTRY_HD float at(int i) const {
    if (Filtered && !views.has(i)) return 0;
    return value[i];
  }
};

}  // namespace gantry::device
