#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_model.hpp"

#include <vector>

namespace gantry {

/// Tables of the interval kernels for a scan whose detector columns are parallel to z. The pointers
/// in `scan` refer to the tables of the host until the caller sets the addresses of copies on the
/// device.
struct SiddonJosephTables {
  std::vector<device::SiddonJosephView> views;
  std::vector<device::SiddonJosephLine> lines;
  device::SiddonJosephScan scan;
  bool planar;
  RayClimb climb;

  SiddonJosephTables(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  void add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v);
};

}  // namespace gantry
