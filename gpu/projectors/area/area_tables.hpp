#pragma once

#include "core/projectors/area/area_view.hpp"
#include "gpu/projectors/area/area_model.hpp"

#include <vector>

namespace gantry {

/// A scan as the area-integral kernels see it; `scan.view`, `line` and `band` are set by whoever
/// puts them on a device.
struct AreaTables {
  std::vector<device::AreaPose> views;
  std::vector<device::AreaLine> lines;
  std::vector<device::AreaBand> bands;
  device::AreaScan scan;

  AreaTables(const ScanGeometry& geometry, const VolumeGrid& grid, AreaWeights weights);

 private:
  void add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v, AreaWeights weights);
};

}  // namespace gantry
