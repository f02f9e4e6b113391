#pragma once

#include "core/operator/projector.hpp"
#include "core/projectors/common/z_columns.hpp"
#include "core/projectors/distance_driven/dd_slice_edges.hpp"
#include "core/projectors/distance_driven/dd_view_3d.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace gantry {

/// Part of 0 .. size - 1 that touches an interval, in whole vectors as far as there are.
struct Span {
  static constexpr int lanes = 16;
  int first, count;

  Span(double low, double high, int size) {
    const auto cut = [=](double at) { return std::clamp<double>(at, 0, size); };
    const int last = static_cast<int>(std::ceil(cut(high)));
    first = static_cast<int>(cut(low)) / lanes * lanes;
    count = std::min(size, (last + lanes - 1) / lanes * lanes) - first;
    if (high <= 0 || low >= size) count = 0;
  }
};

/// What the 3D distance-driven projectors share (De Man and Basu, Phys. Med. Biol. 49 (2004) 2463).
/// On slice k, cell c spans [U_c, U_c+1] as in 2D. Row q spans [Z_q, Z_q+1], magnified as at the
/// centre of the voxel column (i, k) that it is laid on (see AxialRows). Hence
///   p_cq = l_cq / (edge_c+1 - edge_c)
///          * sum_k 1/scale_k * sum_i overlap([U_c, U_c+1], i)
///                            * sum_z overlap([Z_q, Z_q+1], z) / (Z_q+1 - Z_q) f_kiz
/// with l_cq = w_spacing sqrt(1 + slope_c^2 + slope_z^2). The inner sum resamples one voxel column
/// onto the rows, once for all detector columns that see it; the sum over i adds the line to those.
/// The transpose runs the same two steps backwards, slice by slice, so that a task owns the slices
/// it writes. Derived classes say how lines are resampled and added.
///
/// De Man and Basu lay rows on a slice as magnified at the centre of the detector column; Liu et
/// al. (2017) take the voxel's own rectangle in their backprojection. Both are quadrature rules for
/// the same footprint, which agree to second order in its size. Against the mean of many rays
/// through each cell, of volumes of random voxels, the one here is off by 5.6e-3 to 5.8e-3, the
/// other by 5.6e-3 to 6.1e-3 (RMS, test_distance_driven).
class DistanceDriven3d : public Projector {
 public:
  const RowSource* row_source() const override { return rows_.get(); }
  std::size_t workspace_bytes() const override;

 protected:
  DistanceDriven3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid);

  /// A volume made ready for forward products.
  class ForwardVolume {
   public:
    virtual ~ForwardVolume() = default;
    /// Adds slices first .. last - 1 to the columns of a view, in units of unit().
    virtual void add(int first, int last, DdView3d& view) const = 0;
    virtual double unit() const { return 1; }
  };
  /// What one task of a transpose works with; `edges` are those of the view and slice in hand.
  struct Scratch {
    SliceEdges edges;
    std::vector<float> line;
    std::vector<std::int32_t> at_side, sums, at_voxels;
  };

  /// The line of the column of voxels of pixel i on slice k.
  template <class Lines>
  static auto line_of(Lines& lines, const DdView3d& view, int i, int k) {
    return view.table().slices.along_y ? lines.line(i, k) : lines.line(k, i);
  }
  /// Voxels of a column that the detector's rows see.
  Span seen_voxels(const DdView3d& view, const RowEdges& axial) const {
    return {axial.origin, axial.origin + view.rows() * axial.pitch, grid().nz};
  }
  /// Rows that see any of a slice's voxels.
  static Span seen_rows(const DdView3d& view, int k, int voxels) {
    const auto [nearest, farthest] = view.axial().extremes(k);
    return {std::min(-nearest.origin / nearest.pitch, -farthest.origin / farthest.pitch),
            std::max((voxels - nearest.origin) / nearest.pitch,
                     (voxels - farthest.origin) / farthest.pitch),
            view.rows()};
  }
  /// Voxels under the longest footprint, in the slice or along z, of all views.
  double longest_footprint() const { return longest_footprint_; }

 private:
  virtual std::unique_ptr<ForwardVolume> forward_volume(const float* volume) const = 0;
  /// A view whose rays are loaded, made ready for adjoint_slice().
  virtual void prepare(DdView3d& /*view*/) const {}
  /// Adds to a slice of the volume what a view gives to it.
  virtual void adjoint_slice(const DdView3d& view, int k, ZColumns& volume,
                             Scratch& scratch) const = 0;

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override;
  void forward_views(const ForwardVolume& volume, int slice_count, const std::vector<int>& indices,
                     float* rays) const;
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override;
  void adjoint_views(const std::vector<DdView3d>& views, bool along_y, ZColumns& volume) const;

  std::unique_ptr<RowSource> rows_;
  double longest_footprint_ = 1;
};

}  // namespace gantry
