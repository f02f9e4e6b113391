#pragma once

#include "core/geometry/view_subset.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry {

/// The largest magnitude of each slice of a vector, for slices that become halves times a power of
/// two of their own (numerics 5.7). What is not finite has no say.
class SliceMagnitudes {
 public:
  SliceMagnitudes(const CudaBackend& cuda, const device::SliceLayout& layout, int nx);

  void find_of_images(const float* x);
  /// Other views are not read.
  void find_of_rays(const float* y, ViewSubset subset);
  /// [slice] as integers.
  const int* bits() const { return bits_.data(); }
  std::size_t bytes() const { return bits_.size() * sizeof(int); }

 private:
  const CudaBackend& cuda_;
  device::SliceLayout layout_;
  int nx_;
  DeviceBuffer<int> bits_;
};

}  // namespace gantry
