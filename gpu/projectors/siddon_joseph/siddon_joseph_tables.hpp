#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/siddon_joseph/siddon_joseph.hpp"
#include "gpu/projectors/siddon_joseph/siddon_joseph_model.hpp"

#include <vector>

namespace gantry {

/// Whether the interval kernels (siddon_joseph_model.hpp) take a scan: its detector columns are
/// parallel to z and, for Joseph's weights, no ray climbs by more than it advances in the plane.
bool suits_interval_kernels(const ScanGeometry& geometry, const VolumeGrid& grid,
                            device::RayWeighting weights);

/// Tables of the interval kernels for a scan that they take. The pointers
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
