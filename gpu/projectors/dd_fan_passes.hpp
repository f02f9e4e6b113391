#pragma once

#include "core/projectors/projector.hpp"
#include "gpu/projectors/dd_fan_tables.hpp"

#include <memory>

namespace gantry {

/// How many values of width Value go together, and by how many a lane of either product goes.
struct DdFanBundle {
  int values;  ///< of width Value
  int width;   ///< of a Value, floats
  bool both_kinds;

  std::size_t floats() const {
    return static_cast<std::size_t>(values) * static_cast<std::size_t>(width);
  }
};

/// How products of the 2D distance-driven pair are cut into launches, and the tables and the memory
/// that these work on. A single slice goes float by float, or under the symmetries of its scan as
/// eight images of which one view in eight is left; a stack goes by quads of slices, two at a time
/// where there are two, and forward by 32 slices while there are so many.
class DdFanPasses {
 public:
  DdFanPasses(const CudaBackend& cuda, std::shared_ptr<const ScanGeometry> geometry,
              const VolumeGrid& grid)
      : cuda_(cuda),
        geometry_(std::move(geometry)),
        grid_(grid),
        tables_(cuda, *geometry_, grid),
        symmetry_(cuda, *geometry_, grid) {}

  const CudaBackend& cuda() const { return cuda_; }
  const ScanGeometry& geometry() const { return *geometry_; }
  const VolumeGrid& grid() const { return grid_; }
  const DdFanTables& tables() const { return tables_; }
  const DdFanSymmetry& symmetry() const { return symmetry_; }
  int slices() const { return grid_.nz; }
  std::size_t pixels() const {
    return static_cast<std::size_t>(grid_.nx) * static_cast<std::size_t>(grid_.ny);
  }
  /// Whether these views go as one in eight of them, of eight images.
  bool symmetric(ViewSubset subset) const {
    return symmetry_.holds() && subset == ViewSubset::all(geometry_->views());
  }
  /// Tables, and what products work in.
  std::size_t bytes() const { return tables_.bytes() + symmetry_.bytes() + buffer_bytes(); }

  /// Warps of a block that makes prefix sums, of a line each.
  static constexpr int prefix_warps = 4;

  static DdFanBundle single() { return {1, 1, true}; }
  static DdFanBundle symmetric_bundle() { return {2, 4, false}; }
  static DdFanBundle wide_pass() { return {1, device::wide_slices, true}; }
  /// Quads of one pass through so many slices.
  DdFanBundle stack_pass(int slices) const;
  /// Slices that go by 32. The last pass may have fewer, where quads would take longer; where there
  /// are few views, the lines have to be shared out among the warps, which quads do.
  int wide_slices(int views) const;
  /// Shares of the views that blocks of the transpose take, so that there are enough blocks.
  int shares(const DdFanBundle& bundle, int quads, int views) const;

  /// Prefix sums of an image, floats.
  std::size_t image_sums(const DdFanBundle& bundle) const;
  /// Prefix sums of views, floats.
  std::size_t view_sums(const DdFanBundle& bundle, int views) const;
  /// Kept from call to call: what is recorded of a call works on it.
  float* buffer() const;

  device::DdFanScan scan_of(const DdFanBundle& bundle, int views) const;
  device::StackLayout stack_layout(ViewSubset subset, int first_slice) const;

 private:
  std::size_t parts(const DdFanBundle& bundle, int shares) const;
  std::size_t floats_of(const DdFanBundle& bundle, int views, int shares) const;
  int most_shares_of(const DdFanBundle& bundle) const;
  std::size_t buffer_bytes() const;

  const CudaBackend& cuda_;
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
  DdFanTables tables_;
  DdFanSymmetry symmetry_;
  mutable DeviceBuffer<float4> buffer_;  // made when first needed
};

}  // namespace gantry
