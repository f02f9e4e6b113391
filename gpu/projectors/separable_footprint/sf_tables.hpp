#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/separable_footprint/sf_model.hpp"

#include <vector>

namespace gantry {

/// A scan as the separable-footprint kernels see it; `scan.view` and `scan.inverse_cosine` are set
/// by whoever puts them on a device.
struct SfTables {
  std::vector<device::SfPose> views;
  std::vector<float> inverse_cosine;  ///< [row][column]; empty: 1
  device::SfScan scan;
  bool planar;
  bool tall;  ///< a row may be higher than a voxel

  SfTables(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
