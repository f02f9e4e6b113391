#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/distance_driven/weights/dd_weights.hpp"

#include <vector>

namespace gantry {

/// Tables of the single distance-driven weights of a scan. The pointers in `scan` refer to the
/// tables of the host until the caller sets the addresses of copies on the device.
struct DdWeightTables {
  std::vector<device::DdWeightView> views;
  std::vector<device::DdColumn> columns;
  device::DdWeightScan scan;

  /// Throws what DdView throws.
  DdWeightTables(const ScanGeometry& geometry, const VolumeGrid& grid);
  /// Device memory of the tables of a scan, bytes.
  static std::size_t bytes(const ScanGeometry& geometry);
};

}  // namespace gantry
