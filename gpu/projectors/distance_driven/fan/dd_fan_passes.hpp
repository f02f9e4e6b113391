#pragma once

#include "core/operator/projector.hpp"
#include "gpu/base/side_stream.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_tables.hpp"

#include <algorithm>
#include <memory>
#include <vector>

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

/// Pixels of a slice that the transpose makes at a time: x by y, and y by x as well where mirrored.
struct DdFanRegion {
  device::Span x, y;
  bool turned_too;

  std::size_t pixels() const {
    return static_cast<std::size_t>(x.count) * static_cast<std::size_t>(y.count);
  }
  std::size_t size() const { return pixels() * (turned_too ? 2 : 1); }
  /// Blocks that add up its partial images.
  unsigned tiles() const;
};

/// How the transpose goes through a group: values at a time, shares of the views that blocks take,
/// so that there are enough of them, and regions of the image. Of several passes, for which it has
/// two places, one begins where the blocks of another run out.
struct DdFanTransposePass {
  int values, shares, places;
  std::vector<DdFanRegion> regions;

  std::size_t largest_region() const;
  unsigned tiles() const;
};

/// How products of the 2D distance-driven pair are cut into launches, and the tables and the memory
/// that these work on. A single slice goes float by float, or under the symmetries of its scan as
/// eight images of which one view in eight is left; a stack goes by groups of up to 32 slices,
/// forward all of them or quads, back by quads, two at a time where there are two.
///
/// Memory: a step of SIRT is to find room for all this in volume x 3 + data x 2, 12 MiB more (the
/// tables are four times the data of a slice, 11.8 MB for 720 views of 1024 cells) and a volume or
/// 16 MiB, whichever is less: with less, products of 2048 x 2048 pixels are 4 % slower. The
/// iterate, both weights and the data leave a volume of it and, of a stack, what the weights of its
/// rays do not take, which are those of one slice; of these, a volume at most, or column sums, made
/// beside rays of ones, would take more. So the sums of the image are made of a band of its lines
/// at a time and the partial images of the transpose of a region, as large as is left; but 9 MiB
/// for either are taken in any case, which a slice of 512 x 512 needs to go at once.
class DdFanPasses {
 public:
  DdFanPasses(const CudaBackend& cuda, std::shared_ptr<const ScanGeometry> geometry,
              const VolumeGrid& grid);

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
  std::size_t bytes() const {
    return tables_.bytes() + symmetry_.bytes() + buffer_floats() * sizeof(float);
  }

  /// Warps that share a line when so many are summed.
  int parts_of_line(int lines) const {
    return lines < enough_lines() ? device::most_line_parts : 1;
  }
  /// Warps of a block that sums up lines.
  static int warps_for_lines(int parts) { return parts == 1 ? 4 : device::most_line_parts; }
  /// The same for the lines of a subset's views: of all groups alike.
  int parts_of_views(ViewSubset subset) const;

  static DdFanBundle single() { return {1, 1, true}; }
  static DdFanBundle symmetric_bundle() { return {2, 4, false}; }
  static DdFanBundle wide_pass() { return {1, device::wide_slices, true}; }
  static DdFanBundle quads_of(int slices);
  /// Whether a group of a stack is projected 32 slices at a time. It may have fewer, where quads
  /// would take longer; where there are few views, the lines have to be shared out among the warps,
  /// which quads do.
  bool wide(int slices, int views) const;
  /// Slices of a stack that are a group, but for the last.
  int group_slices() const { return group_slices_; }

  /// Calls visit(DdFanGroup) for one after the other.
  template <class Visit>
  void for_groups(ViewSubset subset, const Visit& visit) const;

  /// Lines of either kind whose sums go into the room there is; the last band may have fewer.
  int band_lines(const DdFanBundle& bundle) const;
  DdFanTransposePass transpose_pass(const DdFanBundle& group, int quads, int views) const;
  /// Parts of lines of views whose residuals are summed apart, and blocks in which changes of the
  /// image are.
  std::size_t residual_parts(ViewSubset subset) const;
  std::size_t update_blocks(ViewSubset subset) const;
  /// The most of them, of any subset.
  std::size_t most_residual_parts() const;
  std::size_t most_update_blocks() const;

  /// Prefix sums of the views of a group, kept from call to call: what is recorded of a call works
  /// on it.
  float* view_sums() const;
  /// What comes and goes: prefix sums of the image, or partial images.
  float* work() const { return view_sums() + view_sums_floats_; }
  /// The second place of a transpose in it.
  float* second_work() const { return work() + work_floats_ / 2; }
  SideStream& side_stream() const;

  device::DdFanScan scan_of(int views) const { return tables_.scan(views); }
  /// For the lines `first` to `first` + `lines` of either kind.
  device::DdFanScan scan_of(const DdFanBundle& bundle, int views, int first, int lines) const;
  device::StackLayout stack_layout(ViewSubset subset, int first_slice) const;
  /// Where a group's rays lie that are to be summed there.
  device::RaysInSums rays_in_sums(const DdFanBundle& bundle, int views) const {
    return {bundle.width, views, tables_.scan(views).row_stride};
  }

 private:
  int enough_lines() const { return 8 * cuda_.multiprocessors(); }
  int values_of_first_group() const {
    return slices() == 1 ? 1 : quads_of(std::min(group_slices_, slices())).values;
  }
  int values_of_all_groups() const;
  void choose_group();
  std::size_t floats_of_lines(const DdFanBundle& bundle, int lines) const;
  std::size_t floats_of_views(const DdFanBundle& bundle, int views) const;
  std::size_t most_parts(const DdFanBundle& group, int quads, int views) const;
  std::size_t work_floats() const;
  std::vector<DdFanRegion> bands(int rows) const;
  std::vector<DdFanRegion> rings(int classes) const;
  std::size_t buffer_floats() const { return view_sums_floats_ + work_floats_; }

  const CudaBackend& cuda_;
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
  DdFanTables tables_;
  DdFanSymmetry symmetry_;
  int group_slices_ = 1;
  std::size_t room_bytes_ = 0;  // for what comes and goes
  std::size_t view_sums_floats_ = 0, work_floats_ = 0;
  // Made when first needed.
  mutable DeviceBuffer<float4> buffer_;
  mutable std::unique_ptr<SideStream> side_stream_;
};

template <class Visit>
void DdFanPasses::for_groups(ViewSubset subset, const Visit& visit) const {
  if (symmetric(subset))
    return visit(DdFanGroup<float4, 2, device::SymmetricLayout>{
        symmetric_bundle(), symmetry_.layout(), subset, symmetry_.stored_views(), 0, 1});
  if (slices() == 1)
    return visit(DdFanGroup<float, 1, device::StackLayout>{single(), stack_layout(subset, 0),
                                                           subset, subset.count, 0, 1});
  for (int first = 0; first < slices(); first += group_slices_) {
    const int some = std::min(group_slices_, slices() - first);
    const DdFanBundle bundle = quads_of(some);
    const device::StackLayout layout = stack_layout(subset, first);
    if (bundle.values == 1)
      visit(DdFanGroup<float4, 1, device::StackLayout>{bundle, layout, subset, subset.count, first,
                                                       some});
    else
      visit(DdFanGroup<float4, 2, device::StackLayout>{bundle, layout, subset, subset.count, first,
                                                       some});
  }
}

}  // namespace gantry
