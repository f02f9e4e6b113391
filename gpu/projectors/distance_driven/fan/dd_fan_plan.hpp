#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"
#include "core/operator/gradient_step.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan.cuh"

#include <algorithm>
#include <vector>

namespace gantry {

/// The number of Values that a product processes together, and the floats of each.
struct DdFanBundle {
  int values;       ///< Values
  int width;        ///< of a Value, floats
  bool both_kinds;  ///< layers along y and along x; false: along y only (symmetric scans)

  std::size_t floats() const {
    return static_cast<std::size_t>(values) * static_cast<std::size_t>(width);
  }
};

/// The pixels of a slice that the transpose makes at a time: x by y and, if with_exchanged_axes, y
/// by x.
struct DdFanRegion {
  device::Span x, y;
  bool with_exchanged_axes;

  std::size_t pixels() const {
    return static_cast<std::size_t>(x.count) * static_cast<std::size_t>(y.count);
  }
  std::size_t size() const { return pixels() * (with_exchanged_axes ? 2 : 1); }
  /// Blocks of dd_fan_fold that add up the region's partial images.
  unsigned tiles() const;
};

/// How the transpose processes a group: `values` at a time, with the views in `shares` parts if
/// there would be too few blocks otherwise, region by region of the image. Of several passes, two
/// run at a time (places = 2, on two streams), so that the blocks of one occupy the multiprocessors
/// that the end of the other leaves idle.
struct DdFanTransposePass {
  int values, shares, places;
  std::vector<DdFanRegion> regions;

  std::size_t largest_region() const;
  unsigned tiles() const;
};

/// Divides the products of the 2D distance-driven pair into launches, and says how much memory they
/// need. The plan depends on the scan, the grid and the number of multiprocessors only.
///
///   images of a group          a lane carries                          views of the product
///   one slice                  a float                                 those of the subset
///   the eight images of a      forward: a float4; transpose: both      one in eight; used for
///   slice with 8 symmetries    float4 of the eight images              products of all views only
///   up to 32 slices of a       forward: 1 or 2 float4, or see          those of the subset
///   stack                      dd_fan_wide.cuh; transpose: 1 or 2
///
/// Memory: a step of SIRT may take volume x 3 + data x 2 + 12 MiB + min(volume, 16 MiB) in all. The
/// 12 MiB hold the tables (four times the data of a slice: 11.8 MB for 720 views of 1024 cells);
/// with less than the last term, products of 2048 x 2048 pixels are 4 % slower. The iterate, the
/// column weights, the data and the row weights (of a stack, those of one slice) are taken off;
/// what the row weights of a stack save is used up to one volume only, because column sums, which
/// are made while an array of ones exists, would exceed the limit otherwise. The rest is the work
/// memory, but 9 MiB at least, which a slice of 512 x 512 pixels needs. Prefix sums of the image
/// that do not fit are made of one band of its layers at a time, partial images of the transpose of
/// one region at a time.
class DdFanPlan {
 public:
  DdFanPlan(const ScanGeometry& geometry, const VolumeGrid& grid, int multiprocessors);

  int slices() const { return nz_; }
  int views() const { return views_; }
  std::size_t pixels() const {
    return static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  }
  /// Whether products of all views use the eight symmetries.
  bool has_symmetry() const { return stored_views_ > 0; }
  /// Whether products of these views do.
  bool symmetric(ViewSubset subset) const {
    return has_symmetry() && subset == ViewSubset::all(views_);
  }
  /// Device memory beside the operands of a product or of a step, bytes: tables, prefix sums of
  /// views, work memory, and partial sums of norms.
  std::size_t bytes() const;
  StepWorkspace step_workspace() const;

  /// Returns the number of warps among which each of so many lines is divided.
  int parts_of_line(int lines) const {
    return lines < enough_lines() ? dd_fan::most_line_parts : 1;
  }
  /// Returns the number of warps in a block of the kernels that make prefix sums.
  static int warps_for_lines(int parts) {
    return parts == 1 ? dd_fan::line_warps : dd_fan::most_line_parts;
  }
  /// Returns the number of warps among which a line of a subset's views is divided; the same for
  /// all groups.
  int parts_of_views(ViewSubset subset) const;

  static DdFanBundle single() { return {1, 1, true}; }
  static DdFanBundle symmetric_bundle() { return {2, 4, false}; }
  static DdFanBundle wide_pass() { return {1, device::wide_slices, true}; }
  static DdFanBundle quads_of(int slices);
  /// Whether a group of a stack is projected by dd_fan_forward_wide, 32 slices at a time, which is
  /// faster for nearly full groups. With few views, the layers of a view have to be divided among
  /// warps, which only dd_fan_forward_shared does.
  bool wide(int slices, int views) const;

  /// Values that a product processes together.
  struct Group {
    DdFanBundle bundle;
    int quads;  ///< Values per lane of the transpose
    int views;  ///< of the product; of a symmetric scan, the stored ones
    int first_slice, slices;
  };
  /// Calls visit(Group) for one group after the other.
  template <class Visit>
  void for_each_group(ViewSubset subset, const Visit& visit) const;

  /// Returns the number of layers of a band, whose prefix sums fit into the work memory; the last
  /// band may have fewer.
  int band_lines(const DdFanBundle& bundle) const;
  DdFanTransposePass transpose_pass(const DdFanBundle& group, int quads, int views) const;
  /// Partial sums of the residual's norm (one per part of a line), and blocks of dd_fan_fold, which
  /// sum the change of the image.
  std::size_t residual_parts(ViewSubset subset) const;
  std::size_t update_blocks(ViewSubset subset) const;
  /// The largest of these numbers for any subset.
  std::size_t most_residual_parts() const;
  std::size_t most_update_blocks() const;
  /// Partial sums of both norms that suffice for any subset.
  std::size_t norm_parts() const {
    return most_residual_parts() + most_update_blocks() * device::fold_rows;
  }

  /// Floats of the prefix sums of a group's views, and of the work memory behind them, which holds
  /// prefix sums of the image or partial images.
  std::size_t view_sums_floats() const { return view_sums_floats_; }
  std::size_t work_floats() const { return work_floats_; }

 private:
  int enough_lines() const { return dd_fan::enough_lines * multiprocessors_; }
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
  int stored_views_;         // of a scan with eight symmetries; 0: they do not hold
  device::DdFanScan shape_;  // without the tables
  int group_slices_ = 1;
  std::size_t work_bytes_ = 0;  // limit of the work memory
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
