#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/subset_sweep.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// Base of the 2D distance-driven projectors, which differ in the forward product only. The
/// transpose works in the coordinate of the edge table (slopes), in which a cell spans the same
/// interval on every layer: with z_c = p_c length_c / (edge_c+1 - edge_c) and Z the integral of z,
/// a pixel that spans [s, s'] receives Z(s') - Z(s).
class DistanceDriven2d : public Projector, public MakesSubsetSweeps {
 public:
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override;
  const RowSource* row_source() const override { return rows_.get(); }

 protected:
  DistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                   const VolumeGrid& grid);

  /// Returns the width of the widest footprint of any cell on any layer, in pixels.
  double widest_pixels() const { return widest_pixels_; }
  /// Returns how the pixels of the layers of one kind lie in an image.
  DdPlane plane(const Layers& slices) const;

  /// A part of a forward product: some views of a list, some of their cells.
  struct Task {
    int first_view, last_view, first_cell, last_cell;
  };
  /// Runs work(task) in parallel over all cells of `views` views. Throws Interrupted between tasks.
  void run_tasks(int views, const std::function<void(const Task&)>& work) const;
  /// Writes a task's cells of one view: the sums over the layers times path length over footprint
  /// width.
  template <class Sum>
  static void store(const DdView& table, const Task& task, const Sum* sums, double unit,
                    float* out) {
    for (auto c = static_cast<std::size_t>(task.first_cell);
         c < static_cast<std::size_t>(task.last_cell); ++c)
      out[table.column(c)] =
          static_cast<float>(sums[c] * unit) * table.length_mm[c] * table.inverse_width[c];
  }

 private:
  struct AdjointView;
  using AdjointViews = std::vector<std::unique_ptr<AdjointView>>;

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override = 0;
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override;
  class Sweep;
  UpdateNorms update_by_column_sums(Array& x, const Array& b, const Array& row_weight,
                                    const SubsetUpdate& update, Array& rays,
                                    ViewSubset subset) const;
  AdjointViews adjoint_views(const float* rays, ViewSubset subset, bool with_ones) const;
  void adjoint_rows(const AdjointViews& views, int first, int last, float* image,
                    float* ones) const;
  double update_rows(const AdjointViews& views, int first, int last, const SubsetUpdate& update,
                     float* image) const;

  std::unique_ptr<RowSource> rows_;
  double widest_pixels_ = 0;
};

/// Throws UsageError for slices of more pixels than 32 bit offsets can address.
void require_countable_slices(const VolumeGrid& grid);

}  // namespace gantry
