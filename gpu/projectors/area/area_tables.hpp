#pragma once

#include "core/projectors/area/area_view.hpp"
#include "gpu/projectors/area/area_model.hpp"

#include <vector>

namespace gantry {

/// Tables of the area-integral kernels for a scan. The pointers in `scan` refer to the tables of
/// the host until the caller sets the addresses of copies on the device.
struct AreaTables {
  std::vector<device::AreaPose> views;
  std::vector<device::AreaLine> lines;
  std::vector<device::AreaBand> bands;
  device::AreaScan scan;

  AreaTables(const ScanGeometry& geometry, const VolumeGrid& grid, AreaWeights weights);
  /// Device memory of the tables of a scan, bytes.
  static std::size_t bytes(const ScanGeometry& geometry);

 private:
  void add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v, AreaWeights weights);
};

}  // namespace gantry
