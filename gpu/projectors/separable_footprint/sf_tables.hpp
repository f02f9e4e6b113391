#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/separable_footprint/sf_model.hpp"

#include <vector>

namespace gantry {

/// Tables of the separable-footprint kernels for a scan. The pointers in `scan` refer to the tables
/// of the host until the caller sets the addresses of copies on the device.
struct SfTables {
  std::vector<device::SfPose> views;
  std::vector<float> inverse_cosine;  ///< [row][column]; empty: 1
  device::SfScan scan;
  bool planar;
  bool tall;  ///< a row may be higher than a voxel

  SfTables(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
