#pragma once

#include "core/projectors/dd_view_3d.hpp"
#include "core/projectors/projector.hpp"
#include "core/projectors/z_columns.hpp"

#include <memory>
#include <vector>

namespace gantry {

/// What the 3D distance-driven projectors share. The footprint of cell (c, q) on slice k is a
/// rectangle: [U_c, U_c+1] in the slice as in 2D, and [Z_q, Z_q+1] along the axis, which is affine
/// in the row q for a given column. Hence
///   p_cq = l_cq / (edge_c+1 - edge_c)
///          * sum_k 1/scale_k * sum_z overlap([Z_q, Z_q+1], z) / (Z_q+1 - Z_q)
///                            * sum_i overlap([U_c, U_c+1], i) f_kiz
/// with l_cq = w_spacing sqrt(1 + slope_c^2 + slope_z^2). The inner sum makes one line along z from
/// a few voxel columns; the sum over z resamples that line onto the rows. The transpose runs the
/// same two steps backwards, slice by slice, so that a task owns the slices it writes. Derived
/// classes say how lines are made and resampled.
class DistanceDriven3d : public Projector {
 public:
  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override;

 protected:
  DistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid);

  /// The slices of one kind of a volume, made ready for forward products.
  class ForwardSlices {
   public:
    virtual ~ForwardSlices() = default;
    /// Adds slices first .. last - 1 to the columns of a view, in units of unit().
    virtual void add(int first, int last, DdView3d& view) const = 0;
    virtual double unit() const { return 1; }
  };

  /// Voxels under the largest footprint of all cells, slices and views.
  double largest_footprint() const { return largest_footprint_; }

 private:
  virtual std::unique_ptr<ForwardSlices> forward_slices(const float* volume,
                                                        bool along_y) const = 0;
  /// A view whose rays are loaded, made ready for spread_rows().
  virtual void prepare(DdView3d& /*view*/) const {}
  /// line[z] += what the rows of a column give to the voxels of one line on a slice. `scratch` is
  /// for the function's own use.
  virtual void spread_rows(const DdView3d& view, int cell, int slice, float* line,
                           std::vector<std::int32_t>& scratch) const = 0;

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override;
  void forward_views(const ForwardSlices& slices, int slice_count, const std::vector<int>& indices,
                     float* rays) const;
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override;
  void adjoint_views(const std::vector<DdView3d>& views, bool along_y, ZColumns& volume) const;
  void adjoint_slice(const DdView3d& view, int slice, ZColumns& volume, std::vector<float>& line,
                     std::vector<std::int32_t>& scratch) const;

  std::unique_ptr<RowSource> rows_;
  double largest_footprint_ = 1;
};

}  // namespace gantry
