#pragma once

#include "core/projectors/dd_view.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gantry {

/// Rows of one detector column on one slice, in voxels along z: row q spans origin + q pitch to
/// origin + (q + 1) pitch.
struct AxialMap {
  float origin, pitch;
};

/// One view of the 3D distance-driven model: the table of its plane of rotation, what becomes of
/// the rows, and cell values with rows running along memory, [table cell][row]. Geometry and grid
/// outlive it.
class DdView3d {
 public:
  DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const DdView& table() const { return table_; }
  int rows() const { return rows_; }
  AxialMap axial_map(int cell, int slice) const;
  /// Largest and smallest height of a row in voxels, over all cells and slices.
  double tallest_row() const;
  double lowest_row() const;

  /// Values of all cells, 0 to begin with.
  std::vector<float>& values() { return values_; }
  const std::vector<float>& values() const { return values_; }
  float* column(int cell) { return values_.data() + offset(cell, 0); }
  const float* column(int cell) const { return values_.data() + offset(cell, 0); }
  /// Takes over a view's rays [row][column], each times its weight.
  void load(const float* rays);
  /// Prefix sums of the columns, for projectors that work with them (see prefix_kernels.hpp).
  std::vector<std::int32_t> sums;
  double sums_unit = 1;

  /// Writes the values, times weight and unit, to a view's rays.
  void store(double unit, float* rays) const;

  /// Place of an edge of the table on a slice, in pixels, cut to the slice.
  double place(int edge, int slice) const {
    const double at = (table_.scale_first + slice * table_.scale_step) *
                          table_.edge[static_cast<std::size_t>(edge)] +
                      table_.shift_first + slice * table_.shift_step;
    return std::clamp(at, 0.0, static_cast<double>(table_.slices.width));
  }
  bool hits(int cell, int slice) const { return place(cell + 1, slice) > place(cell, slice); }
  /// Calls use(i, overlap) for the pixels of a slice under a cell.
  template <class Use>
  void for_pixels(int cell, int slice, const Use& use) const {
    const double from = place(cell, slice), to = place(cell + 1, slice);
    for (int i = static_cast<int>(from); i < to; ++i)
      use(i, static_cast<float>(std::min(to, i + 1.0) - std::max(from, static_cast<double>(i))));
  }
  float inverse_scale(int slice) const {
    return static_cast<float>(1 / (table_.scale_first + slice * table_.scale_step));
  }

 private:
  std::size_t offset(int cell, int row) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows_) +
           static_cast<std::size_t>(row);
  }
  double row_height(double scale, double inverse_depth) const;
  float weight(std::size_t cell, int row) const;

  const ScanSpec* spec_;
  double lower_mm_, voxel_mm_;  ///< of the volume, along z
  int rows_;
  DdView table_;
  std::vector<float> values_;
};

}  // namespace gantry
