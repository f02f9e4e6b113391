#pragma once

#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// One view of the 3D distance-driven model: its table in the plane of rotation, the projections of
/// its rows onto the voxel lines, and values of its cells [table cell][row]. Geometry and grid must
/// outlive this object.
class DdView3d {
 public:
  DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const DdView& table() const { return table_; }
  const AxialRows& axial() const { return axial_; }
  int rows() const { return rows_; }

  /// The values of all cells, initially 0.
  std::vector<float>& values() { return values_; }
  const std::vector<float>& values() const { return values_; }
  float* column(int cell) { return values_.data() + offset(cell); }
  const float* column(int cell) const { return values_.data() + offset(cell); }
  /// Returns the offset in values() of the column of a table cell.
  std::size_t offset(int cell) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows_);
  }

  /// Sets the values to the rays [row][column] of a view, each times its weight.
  void load(const float* rays);
  /// Writes the values, times weight and `unit`, to the rays [row][column] of a view.
  void store(double unit, float* rays) const;

  /// Prefix sums of the values, in units of sums_unit; only the branchless projector fills them.
  std::vector<std::int32_t> sums;
  double sums_unit = 1;

 private:
  float weight(std::size_t cell, int row) const;
  template <class Values, class Use>
  void for_cells(Values& values, const Use& use) const;

  const ScanSpec* spec_;
  int rows_;
  DdView table_;
  AxialRows axial_;
  std::vector<float> values_;
};

}  // namespace gantry
