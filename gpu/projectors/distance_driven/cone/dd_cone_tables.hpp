#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/projectors/distance_driven/cone/dd_cone.cuh"

namespace gantry {

/// The footprint tables of a scan (DdView) on the device, and the quantities by which kernels are
/// chosen.
class DdTables {
 public:
  DdTables(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  device::DdConeScan scan(ViewSubset subset) const { return part_of(shape_, subset); }

  bool arc() const { return shape_.arc != 0; }
  /// Whether every view is symmetric about the middle of the volume: rows q and rows - 1 - q have
  /// the same overlaps with voxels z and nz - 1 - z.
  bool mirrored() const { return mirrored_; }
  /// Most cells over one pixel.
  int most_cells() const { return most_cells_; }
  double tallest_row() const { return tallest_row_; }      ///< in voxels
  double tallest_voxel() const { return tallest_voxel_; }  ///< in rows
  /// Device memory of the tables of a scan, bytes.
  static std::size_t bytes(const ScanGeometry& geometry);

 private:
  device::DdConeScan shape_{};
  bool mirrored_ = true;
  int most_cells_ = 1;
  double tallest_row_ = 0, tallest_voxel_ = 0;
  DeviceBuffer<device::DdConeView> views_;
  DeviceBuffer<float> edge_, cell_, rise_;
};

}  // namespace gantry
