#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/voxel/voxel_model.hpp"

#include <vector>

namespace gantry {

/// Tables of voxel-driven backprojection for a scan. `scan.view` is null until the caller sets the
/// address of the views on the device.
struct VoxelTables {
  std::vector<device::VoxelView> views;
  device::VoxelScan scan;
  bool single;  ///< one slice seen by one row, in the plane of rotation

  VoxelTables(const ScanGeometry& geometry, const VolumeGrid& grid, int power);

  /// Number of values of a rearranged view.
  std::size_t view_values() const { return view_values_; }
  /// The view_values() of the tables of this scan and grid.
  static std::size_t values_of_view(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  std::size_t view_values_;
};

}  // namespace gantry
