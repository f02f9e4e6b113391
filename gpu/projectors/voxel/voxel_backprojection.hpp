#pragma once

#include "core/geometry/view_subset.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/voxel/voxel_tables.hpp"

#include <functional>

namespace gantry {

/// Backprojection by interpolation on a CUDA device, as defined in
/// core/projectors/voxel/voxel_backprojection.hpp; used by the voxel-driven projector and by
/// filtered backprojection. Interpolation is in float32.
class CudaVoxelBackprojection {
 public:
  /// Returns where the values of the subset's views first .. first + count - 1 lie on the device.
  using LoadViews = std::function<device::VoxelRows(int first, int count)>;

  /// The backend must outlive the object. Values are weighted by distance^-power.
  CudaVoxelBackprojection(const CudaBackend& backend, const ScanGeometry& geometry,
                          const VolumeGrid& grid, int power);

  /// Computes volume = backprojection of the subset's views. Calls `load` for groups of at most
  /// `views_at_once` views, and `between` after each group (for example to check for an interrupt).
  void apply(ViewSubset subset, const LoadViews& load, const std::function<void()>& between,
             float* volume) const;

  int views_at_once() const;
  /// Bytes that apply() allocates in addition to its operands, plus those of the tables.
  std::size_t workspace_bytes() const { return bytes_; }
  /// The workspace_bytes() of a backprojection for this scan and grid.
  static std::size_t bytes(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  void arrange(const device::VoxelScan& scan, const device::VoxelRows& rows, float* data) const;
  void spread(const device::VoxelScan& scan, const float* data, float* volume, bool add) const;

  const CudaBackend& cuda_;
  VoxelTables tables_;
  DeviceBuffer<device::VoxelView> views_;
  std::size_t bytes_;
};

}  // namespace gantry
