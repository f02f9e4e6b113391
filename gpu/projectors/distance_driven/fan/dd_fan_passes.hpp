#pragma once

#include "gpu/base/side_stream.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_plan.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"

#include <memory>

namespace gantry {

/// The values that a product processes together: a single slice, its eight images, or some slices
/// of a stack. ValueType: what a lane carries (float or float4); QuadsOfLane: how many of them a
/// lane of the transpose carries.
template <class ValueType, int QuadsOfLane, class LayoutType>
struct DdFanGroup {
  using Value = ValueType;
  using Layout = LayoutType;
  static constexpr int quads = QuadsOfLane;
  DdFanBundle bundle;
  Layout layout;
  ViewSubset subset;
  int views;  ///< of the product; of a symmetric scan, the stored ones
  int first_slice, slices;
};

/// The plan of the 2D distance-driven pair, with the tables and the work memory of its products.
class DdFanPasses : public DdFanPlan {
 public:
  DdFanPasses(const CudaBackend& cuda, const ScanGeometry& geometry, const VolumeGrid& grid)
      : DdFanPlan(geometry, grid, cuda.multiprocessors()),
        cuda_(cuda),
        grid_(grid),
        columns_(geometry.columns()),
        tables_(cuda, geometry, grid),
        symmetry_(cuda, geometry, grid) {}

  const CudaBackend& cuda() const { return cuda_; }
  const VolumeGrid& grid() const { return grid_; }
  const DdFanTables& tables() const { return tables_; }
  const DdFanSymmetry& symmetry() const { return symmetry_; }

  /// Calls visit(DdFanGroup) for one group after the other.
  template <class Visit>
  void for_groups(ViewSubset subset, const Visit& visit) const;

  /// Memory for the prefix sums of a group's views. Recorded calls hold its address, so that it is
  /// kept from call to call.
  float* view_sums() const;
  /// Memory for the prefix sums of the image, or for partial images.
  float* work() const { return view_sums() + view_sums_floats(); }
  /// The second half of work(), for a transpose with two passes at a time.
  float* second_work() const { return work() + work_floats() / 2; }
  SideStream& side_stream() const;

  device::DdFanScan scan_of(int views) const { return tables_.scan(views); }
  /// Returns the scan for the band of layers `first` to `first` + `lines` - 1 of either kind.
  device::DdFanScan scan_of(const DdFanBundle& bundle, int views, int first, int lines) const;
  device::StackLayout stack_layout(ViewSubset subset, int first_slice) const;
  /// Returns the order of a group's rays in the memory of their prefix sums.
  device::RaysBeforeSums rays_in_sums(const DdFanBundle& bundle, int views) const {
    return {bundle.width, views, tables_.scan(views).row_stride};
  }

 private:
  const CudaBackend& cuda_;
  VolumeGrid grid_;
  int columns_;
  DdFanTables tables_;
  DdFanSymmetry symmetry_;
  // Made when first needed.
  mutable DeviceBuffer<float4> buffer_;
  mutable std::unique_ptr<SideStream> side_stream_;
};

template <class Visit>
void DdFanPasses::for_groups(ViewSubset subset, const Visit& visit) const {
  for_each_group(subset, [&](const Group& g) {
    if (symmetric(subset))
      visit(DdFanGroup<float4, 2, device::SymmetricLayout>{g.bundle, symmetry_.layout(), subset,
                                                           g.views, g.first_slice, g.slices});
    else if (slices() == 1)
      visit(DdFanGroup<float, 1, device::StackLayout>{g.bundle, stack_layout(subset, 0), subset,
                                                      g.views, g.first_slice, g.slices});
    else if (g.quads == 1)
      visit(DdFanGroup<float4, 1, device::StackLayout>{
          g.bundle, stack_layout(subset, g.first_slice), subset, g.views, g.first_slice, g.slices});
    else
      visit(DdFanGroup<float4, 2, device::StackLayout>{
          g.bundle, stack_layout(subset, g.first_slice), subset, g.views, g.first_slice, g.slices});
  });
}

}  // namespace gantry
