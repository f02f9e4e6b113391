#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/voxel/voxel_model.hpp"

#include <vector>

namespace gantry {

/// A scan as voxel-driven backprojection on a device sees it; `scan.view` is set by whoever puts
/// the views there.
struct VoxelTables {
  std::vector<device::VoxelView> views;
  device::VoxelScan scan;
  bool single;  ///< one slice seen by one row, in its plane

  VoxelTables(const ScanGeometry& geometry, const VolumeGrid& grid, int power);

  /// Values of one arranged view.
  std::size_t view_values() const {
    const std::size_t lines = static_cast<std::size_t>(scan.columns) + 2;
    return lines * (single ? 1 : static_cast<std::size_t>(scan.rows) + 2);
  }
};

}  // namespace gantry
