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

/// Returns a view for the transpose of the 2D distance-driven pair, from its footprint table.
device::DdFanView describe_fan_view(const DdView& table, device::FanKind kind);
device::FanKind fan_kind(const ScanGeometry& geometry);
/// Returns the sizes and constants of a scan, without its tables.
device::DdFanScan fan_shape(const ScanGeometry& geometry, const VolumeGrid& grid);
/// Returns one view of each orbit, with layers along y, if a single slice has all eight symmetries
/// and every orbit has eight views; else nothing.
std::vector<int> symmetric_fan_views(const ScanGeometry& geometry, const VolumeGrid& grid);

/// The footprint tables of a scan on the device, made in float64 from DdView.
class DdFanTables {
 public:
  DdFanTables(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  /// Views by their kind of layers, each with the offset of its prefix sums among all those views.
  struct Kinds {
    std::vector<device::FanViewRow> along_y, along_x;
    int count() const { return static_cast<int>(along_y.size() + along_x.size()); }
  };

  device::FanKind kind() const { return kind_; }
  /// Returns the scan with `views` as its number of views.
  device::DdFanScan scan(int views) const;
  /// The kinds of layers that the views of a subset step through.
  struct KindsSeen {
    bool along_y = false, along_x = false;
  };
  KindsSeen kinds_seen(ViewSubset subset) const;
  Kinds kinds(ViewSubset subset) const;
  Kinds kinds(std::span<const int> views) const;
  /// Device memory of the tables of a scan, bytes.
  static std::size_t bytes(const ScanGeometry& geometry);

 private:
  void append(const DdView& table);

  device::FanKind kind_;
  device::DdFanScan shape_{};
  std::vector<device::DdFanView> host_view_;
  std::vector<float2> host_edge_;  // this and the next line: empty once they are on the device
  std::vector<float> host_cell_, host_length_;
  DeviceBuffer<device::DdFanView> view_;
  DeviceBuffer<float2> edge_;
  DeviceBuffer<float> cell_, length_;
};

/// The stored views of a scan of one slice with eight symmetries, and where the eight images of a
/// slice and their rays lie. holds() if all eight elements hold and every orbit has eight views.
class DdFanSymmetry {
 public:
  DdFanSymmetry(const CudaBackend& backend, const ScanGeometry& geometry, const VolumeGrid& grid);

  bool holds() const { return !host_stored_.empty(); }
  int stored_views() const { return static_cast<int>(host_stored_.size()); }
  std::span<const int> stored() const { return host_stored_; }
  device::SymmetricLayout layout() const;
  /// Returns the partial images of the eight values, `size` floats each, as terms of the pixels
  /// x by y. Mirrors take these pixels to pixels of the same spans. In a partial image, the pixels
  /// x by y begin at `direct`, and the pixels y by x, where rotations by 90 degrees take them, at
  /// `exchanged`.
  device::Fold fold(const device::Span& x, const device::Span& y, std::size_t size,
                    std::size_t direct, std::size_t exchanged) const;
  /// Device memory of the tables of `stored_views` views, bytes.
  static std::size_t bytes(int stored_views);

 private:
  std::vector<int> host_stored_;
  int width_ = 0;
  device::SymmetricLayout layout_{};
  /// How an image holds the pixel (x, y) of the slice: whether with the axes exchanged, and whether
  /// along -x and along -y.
  struct ImageOf {
    bool exchanged, x_back, y_back;
  };
  ImageOf image_of_[8] = {};
  DeviceBuffer<int> stored_;
  DeviceBuffer<device::RayLine> ray_line_;
};

}  // namespace gantry
