#pragma once

// Which rows of a stored matrix a product computes, and which of its operand it reads: those of a
// view subset, forward the rows, back the operand.
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// The rows of some views, `cells` in each.
struct ViewRange {
  int first, stride, count, cells;

  GANTRY_HD std::int64_t row(std::int64_t nth) const {
    return (first + nth / cells * stride) * std::int64_t{cells} + nth % cells;
  }
  GANTRY_HD std::int64_t rows() const { return std::int64_t{count} * cells; }
  GANTRY_HD bool has(std::int64_t row) const {
    const std::int64_t beyond = row / cells - first;
    return beyond >= 0 && beyond % stride == 0 && beyond / stride < count;
  }
};

/// What a product may read of its operand; elsewhere it counts as 0, whatever stands there.
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
