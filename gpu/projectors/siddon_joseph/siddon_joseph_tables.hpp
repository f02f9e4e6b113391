#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
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
  /// Height that the steepest ray climbs per layer: in voxels, and divided by the layer's
  /// thickness. From 1 on, Siddon's rays may meet more than two voxels of a line, and Joseph's may
  /// be sampled along z.
  double climb_voxels = 0, climb_relative = 0;

  SiddonJosephTables(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  void add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v);
  void set_climb(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
