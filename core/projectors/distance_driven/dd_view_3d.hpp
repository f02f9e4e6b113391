#pragma once

#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// One view of the 3D distance-driven model: the table of its plane of rotation, where its rows lie
/// on the voxel columns, and cell values with rows running along memory, [table cell][row].
/// Geometry and grid outlive it.
class DdView3d {
 public:
  DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view);

  const DdView& table() const { return table_; }
  const AxialRows& axial() const { return axial_; }
  int rows() const { return rows_; }

  /// Values of all cells, 0 to begin with.
  std::vector<float>& values() { return values_; }
  const std::vector<float>& values() const { return values_; }
  float* column(int cell) { return values_.data() + offset(cell); }
  const float* column(int cell) const { return values_.data() + offset(cell); }
  /// Place of a cell's column among the values.
  std::size_t offset(int cell) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(rows_);
  }

  /// Takes over a view's rays [row][column], each times its weight.
  void load(const float* rays);
  /// Writes the values, times weight and unit, to a view's rays.
  void store(double unit, float* rays) const;

  /// Prefix sums of the values, for projectors that work with them (see prefix_kernels.hpp).
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
