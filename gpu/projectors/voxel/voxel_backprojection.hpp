#pragma once

#include "core/geometry/view_subset.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/voxel/voxel_tables.hpp"

#include <functional>

namespace gantry {

/// Backprojection by interpolation on a CUDA device, as
/// core/projectors/voxel/voxel_backprojection.hpp defines it: what the voxel-driven projector and
/// filtered backprojection have in common. Data are interpolated in float32.
class CudaVoxelBackprojection {
 public:
  /// Where the values of the subset's views first .. first + count - 1 are, on the device.
  using LoadViews = std::function<device::VoxelRows(int first, int count)>;

  /// The backend outlives it.
  CudaVoxelBackprojection(const CudaBackend& backend, const ScanGeometry& geometry,
                          const VolumeGrid& grid, int power);

  /// volume = backprojection of the subset's views, of which `load` is asked for at most
  /// `views_at_once` at a time. `between` is called between these.
  void apply(ViewSubset subset, const LoadViews& load, const std::function<void()>& between,
             float* volume) const;

  int views_at_once() const;
  /// Memory that apply() takes beside its operands, and that of the tables, bytes.
  std::size_t workspace_bytes() const;

 private:
  void arrange(const device::VoxelScan& scan, const device::VoxelRows& rows, float* data) const;
  void spread(const device::VoxelScan& scan, const float* data, float* volume, bool add) const;

  const CudaBackend& cuda_;
  VoxelTables tables_;
  DeviceBuffer<device::VoxelView> views_;
};

}  // namespace gantry
