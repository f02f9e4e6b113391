#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/gradient_step.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"

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

/// How products of the 2D distance-driven pair are cut into launches, and the memory that they work
/// in: known from the scan, the grid and the number of multiprocessors alone. A single slice goes
/// float by float, or under the symmetries of its scan as eight images of which one view in eight
/// is left; a stack goes by groups of up to 32 slices, forward all of them or quads, back by quads,
/// two at a time where there are two.
///
/// Memory: a step of SIRT is to find space for the tables and this memory in volume x 3 + data x 2,
/// 12 MiB more (the tables are four times the data of a slice, 11.8 MB for 720 views of 1024 cells)
/// and a volume or 16 MiB, whichever is less: with less, products of 2048 x 2048 pixels are 4 %
/// slower. The iterate, both weights and the data leave a volume of that and, of a stack, what the
/// weights of its rays do not take, which are those of one slice; of these a volume at most, or
/// column sums, made beside rays of ones, would take more. So the sums of the image are made of a
/// band of its lines at a time and the partial images of the transpose of a region, as large as is
/// left; but 9 MiB for either are taken in any case, which a slice of 512 x 512 needs to go at
/// once.
class DdFanPlan {
 public:
  DdFanPlan(const ScanGeometry& geometry, const VolumeGrid& grid, int multiprocessors);

  int slices() const { return nz_; }
  int views() const { return views_; }
  std::size_t pixels() const {
    return static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  }
  int multiprocessors() const { return multiprocessors_; }
  /// Whether all views go as one in eight of them, of eight images.
  bool has_symmetry() const { return stored_views_ > 0; }
  /// Whether these views do.
  bool symmetric(ViewSubset subset) const {
    return has_symmetry() && subset == ViewSubset::all(views_);
  }
  /// Beside the operands of a product or of a step: tables, the memory that products work in, and
  /// partial sums of norms.
  std::size_t bytes() const;
  StepWorkspace step_workspace() const;

  /// Warps that share a line when so many lines are summed.
  int parts_of_line(int lines) const {
    return lines < enough_lines() ? device::most_line_parts : 1;
  }
  /// Warps of a block that sums up lines.
  static int warps_for_lines(int parts) { return parts == 1 ? 4 : device::most_line_parts; }
  /// Warps that share a line of a subset's views: the same for all groups.
  int parts_of_views(ViewSubset subset) const;

  static DdFanBundle single() { return {1, 1, true}; }
  static DdFanBundle symmetric_bundle() { return {2, 4, false}; }
  static DdFanBundle wide_pass() { return {1, device::wide_slices, true}; }
  static DdFanBundle quads_of(int slices);
  /// Whether a group of a stack is projected 32 slices at a time. A group may have fewer slices,
  /// where quads would take longer; where there are few views, the lines have to be divided among
  /// the warps, which quads do.
  bool wide(int slices, int views) const;

  /// A group of values that go through a product together.
  struct Group {
    DdFanBundle bundle;
    int quads;  ///< of the bundle's values that the transpose takes at a time
    int views;  ///< that are gone through
    int first_slice, slices;
  };
  /// Calls visit(Group) for one group after the other.
  template <class Visit>
  void for_each_group(ViewSubset subset, const Visit& visit) const;

  /// Lines of either kind whose sums fit into the work memory; the last band may have fewer.
  int band_lines(const DdFanBundle& bundle) const;
  DdFanTransposePass transpose_pass(const DdFanBundle& group, int quads, int views) const;
  /// Parts of lines of views whose residuals are summed apart, and blocks in which the changes of
  /// the image are.
  std::size_t residual_parts(ViewSubset subset) const;
  std::size_t update_blocks(ViewSubset subset) const;
  /// The most of them, of any subset.
  std::size_t most_residual_parts() const;
  std::size_t most_update_blocks() const;
  /// Partial sums of both norms, of any subset.
  std::size_t norm_parts() const {
    return most_residual_parts() + most_update_blocks() * device::fold_rows;
  }

  /// Of the prefix sums of a group's views, and of the work memory behind them: prefix sums of the
  /// image, or partial images.
  std::size_t view_sums_floats() const { return view_sums_floats_; }
  std::size_t work_floats() const { return work_floats_; }

 private:
  int enough_lines() const { return 8 * multiprocessors_; }
  int values_of_first_group() const {
    return slices() == 1 ? 1 : quads_of(std::min(group_slices_, slices())).values;
  }
  int values_of_all_groups() const;
  void choose_group();
  std::size_t floats_of_lines(const DdFanBundle& bundle, int lines) const;
  std::size_t floats_of_views(const DdFanBundle& bundle, int views) const;
  std::size_t most_parts(const DdFanBundle& group, int quads, int views) const;
  std::size_t find_work_floats() const;
  std::vector<DdFanRegion> bands(int rows) const;
  std::vector<DdFanRegion> rings(int classes) const;

  int nx_, ny_, nz_, views_, columns_, multiprocessors_;
  std::size_t rays_, table_bytes_, symmetry_bytes_;
  int stored_views_;         // under all eight symmetries; 0: these do not hold
  device::DdFanScan shape_;  // without the tables
  int group_slices_ = 1;
  std::size_t work_bytes_ = 0;  // that the work memory may have
  std::size_t view_sums_floats_ = 0, work_floats_ = 0;
};

template <class Visit>
void DdFanPlan::for_each_group(ViewSubset subset, const Visit& visit) const {
  if (symmetric(subset)) return visit(Group{symmetric_bundle(), 2, stored_views_, 0, 1});
  if (slices() == 1) return visit(Group{single(), 1, subset.count, 0, 1});
  for (int first = 0; first < slices(); first += group_slices_) {
    const int some = std::min(group_slices_, slices() - first);
    const DdFanBundle bundle = quads_of(some);
    visit(Group{bundle, bundle.values == 1 ? 1 : 2, subset.count, first, some});
  }
}

}  // namespace gantry
