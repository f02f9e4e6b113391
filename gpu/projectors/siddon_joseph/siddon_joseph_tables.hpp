#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_model.hpp"

#include <vector>

namespace gantry {

/// The lines of a scan whose detector columns stand upright, as the interval kernels see them;
/// `scan.view` and `scan.line` are set by whoever puts them on a device.
struct SiddonJosephTables {
  std::vector<device::SiddonJosephView> views;
  std::vector<device::SiddonJosephLine> lines;
  device::SiddonJosephScan scan;
  bool planar;
  /// Climb of the steepest ray from slice to slice: in voxels, and in units of the slice's
  /// thickness. From 1 on, Siddon's rays meet more than two voxels of a line, and Joseph's may be
  /// sampled along z.
  double climb_voxels = 0, climb_relative = 0;

  SiddonJosephTables(const ScanGeometry& geometry, const VolumeGrid& grid);

 private:
  void add_view(const ScanGeometry& geometry, const VolumeGrid& grid, int v);
  void set_climb(const ScanGeometry& geometry, const VolumeGrid& grid);
};

}  // namespace gantry
