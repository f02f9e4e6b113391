#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/view_subset.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"

#include <cstddef>
#include <span>
#include <vector>

namespace gantry {

/// A view for the transpose of the 2D distance-driven pair, from its footprint table.
device::DdFanView describe_fan_view(const DdView& table, device::FanKind kind);
device::FanKind fan_kind(const ScanGeometry& geometry);
/// Sizes and numbers of a scan, without its tables.
device::DdFanScan fan_shape(const ScanGeometry& geometry, const VolumeGrid& grid);
/// One view of each orbit, with layers along y, where all eight symmetries hold for a single slice
/// and every orbit has eight views; else none.
std::vector<int> symmetric_fan_views(const ScanGeometry& geometry, const VolumeGrid& grid);

/// The footprint tables of a scan on the device, made in float64 from DdView.
class DdFanTables {
 public:
  DdFanTables(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  /// Views by the kind of slices that suits them, each with its place among all wanted.
  struct Kinds {
    std::vector<device::FanViewAt> along_y, along_x;
    int count() const { return static_cast<int>(along_y.size() + along_x.size()); }
  };

  device::FanKind kind() const { return kind_; }
  /// For so many views of any layout.
  device::DdFanScan scan(int views) const;
  /// Which kinds a subset has views of.
  struct KindsSeen {
    bool along_y = false, along_x = false;
  };
  KindsSeen kinds_seen(ViewSubset subset) const;
  Kinds kinds(ViewSubset subset) const;
  Kinds kinds(std::span<const int> views) const;
  /// What the tables of a scan take of a device's memory.
  static std::size_t bytes(const ScanGeometry& geometry);

 private:
  void append(const DdView& table);

  device::FanKind kind_;
  device::DdFanScan shape_{};
  std::vector<device::DdFanView> host_view_;
  std::vector<float2> host_edge_;  // this and the next until they are on the device
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

  bool holds() const { return !host_stored_.empty(); }
  int stored_views() const { return static_cast<int>(host_stored_.size()); }
  std::span<const int> stored() const { return host_stored_; }
  device::SymmetricLayout layout() const;
  /// The partial images of the eight values, `size` floats each, as terms of the pixels x by y,
  /// which mirrors take to pixels of the same spans: those of lines y begin at `direct`, and those
  /// of lines x at `turned`.
  device::Fold fold(const device::Span& x, const device::Span& y, std::size_t size,
                    std::size_t direct, std::size_t turned) const;
  /// What the tables of so many stored views take of a device's memory.
  static std::size_t bytes(int stored_views);

 private:
  std::vector<int> host_stored_;
  int width_ = 0;
  device::SymmetricLayout layout_{};
  /// Where an image has what the slice has at (x, y): whether along the other axis, and back.
  struct ImageOf {
    bool turned, x_back, y_back;
  };
  ImageOf image_of_[8] = {};
  DeviceBuffer<int> stored_;
  DeviceBuffer<device::RayLine> ray_line_;
};

}  // namespace gantry
