#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/siddon_joseph/trace_model.hpp"

#include <vector>

namespace gantry {

/// Any scan as the tracing kernels see it; `scan.view` is set by whoever puts the views on a
/// device.
struct TraceTables {
  std::vector<device::TraceView> views;
  device::TraceScan scan;

  TraceTables(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
