#pragma once

#include "gpu/base/side_stream.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_plan.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"

#include <memory>

namespace gantry {

/// What goes through a product together: a single slice, its eight images, or some slices of a
/// stack. Value: what a lane carries; Quads: how many of them the transpose takes at a time.
template <class ValueType, int QuadsOfLane, class LayoutType>
struct DdFanGroup {
  using Value = ValueType;
  using Layout = LayoutType;
  static constexpr int quads = QuadsOfLane;
  DdFanBundle bundle;
  Layout layout;
  ViewSubset subset;
  int views;  ///< that are gone through
  int first_slice, slices;
};

/// The plan of the 2D distance-driven pair with the tables and the memory that its products work
/// on.
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

  /// Prefix sums of the views of a group, kept from call to call: what is recorded of a call works
  /// on them.
  float* view_sums() const;
  /// Prefix sums of the image, or partial images.
  float* work() const { return view_sums() + view_sums_floats(); }
  /// The second half of that memory, for a transpose that has two passes at work.
  float* second_work() const { return work() + work_floats() / 2; }
  SideStream& side_stream() const;

  device::DdFanScan scan_of(int views) const { return tables_.scan(views); }
  /// For the lines `first` to `first` + `lines` of either kind.
  device::DdFanScan scan_of(const DdFanBundle& bundle, int views, int first, int lines) const;
  device::StackLayout stack_layout(ViewSubset subset, int first_slice) const;
  /// Where a group's rays lie that are to be summed in the memory of their sums.
  device::RaysInSums rays_in_sums(const DdFanBundle& bundle, int views) const {
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
