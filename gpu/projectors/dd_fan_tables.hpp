#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/projectors/dd_view.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/kernels/dd_fan.cuh"

#include <cstddef>
#include <vector>

namespace gantry {

/// A view for the transpose of the 2D distance-driven pair, from its footprint table.
device::DdFanView describe_fan_view(const DdView& table, device::FanKind kind);
device::FanKind fan_kind(const ScanGeometry& geometry);

/// The footprint tables of a scan on the device, made in float64 from DdView.
class DdFanTables {
 public:
  DdFanTables(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  device::FanKind kind() const { return kind_; }
  /// For so many views of any layout.
  device::DdFanScan scan(int views) const;
  std::size_t bytes() const;

 private:
  void append(const DdView& table);

  device::FanKind kind_;
  device::DdFanScan shape_{};
  std::vector<device::DdFanView> host_view_;  // until they are on the device
  std::vector<float2> host_edge_;
  std::vector<float> host_cell_, host_length_;
  DeviceBuffer<device::DdFanView> view_;
  DeviceBuffer<float2> edge_;
  DeviceBuffer<float> cell_, length_;
};

/// What the eight-fold symmetry of a scan of one slice needs; only where all eight elements hold
/// and every orbit has eight views.
class DdFanSymmetry {
 public:
  DdFanSymmetry(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  bool holds() const { return stored_views_ > 0; }
  int stored_views() const { return stored_views_; }
  device::SymmetricLayout layout() const;
  /// The partial images of the eight values, [share][value][pixel], as terms of one slice.
  device::Fold fold(int shares) const;
  std::size_t bytes() const;

 private:
  int stored_views_ = 0, width_ = 0;
  device::SymmetricLayout layout_{};
  device::Fold fold_{};
  DeviceBuffer<int> stored_;
  DeviceBuffer<device::RayLine> ray_line_;
};

}  // namespace gantry
