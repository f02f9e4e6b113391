#pragma once

#include "core/geometry/view_subset.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry {

/// Throws UsageError if a stack has more slices than the blocks along y of a launch.
void require_slices_in_launch(int slices);

/// The largest magnitude of each slice of a vector, for slices that are converted to halves with a
/// power of two of their own (half_scale). Values that are not finite are ignored.
class SliceMagnitudes {
 public:
  /// Throws UsageError: see require_slices_in_launch.
  SliceMagnitudes(const CudaBackend& cuda, const device::SliceLayout& layout, int nx);

  void find_of_images(const float* x);
  /// Reads only the views of the subset.
  void find_of_rays(const float* y, ViewSubset subset);
  /// [slice] magnitudes, as the bits of a float.
  const int* bits() const { return bits_.data(); }
  std::size_t bytes() const { return bits_.size() * sizeof(int); }

 private:
  const CudaBackend& cuda_;
  device::SliceLayout layout_;
  int nx_;
  DeviceBuffer<int> bits_;
};

}  // namespace gantry
