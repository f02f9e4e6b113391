#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/siddon_joseph/trace_model.hpp"

#include <vector>

namespace gantry {

/// Tables of the tracing kernels for any scan. `scan.view` points to the views of the host until
/// the caller sets the address of a copy on the device.
struct TraceTables {
  std::vector<device::TraceView> views;
  device::TraceScan scan;

  TraceTables(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
