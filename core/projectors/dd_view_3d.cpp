#include "core/projectors/dd_view_3d.hpp"

#include <cmath>

namespace gantry {

DdView3d::DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : spec_(&geometry.spec()),
      rows_(geometry.rows()),
      table_(geometry, grid, view),
      axial_(geometry, grid, view),
      values_(geometry.cells(), 0.0F) {}

/// What does not depend on the slice: path length per slice / footprint width.
float DdView3d::weight(std::size_t cell, int row) const {
  const double slope_z =
      (row - spec_->central_row) * spec_->row_pitch_mm * table_.inverse_depth[cell];
  const double in_plane = table_.length_mm[cell], rise = slope_z * table_.slices.w_spacing_mm;
  return static_cast<float>(std::sqrt(in_plane * in_plane + rise * rise) *
                            table_.inverse_width[cell]);
}

void DdView3d::load(const float* rays) {
  const auto columns = static_cast<std::size_t>(table_.cells());
  for (int c = 0; c < table_.cells(); ++c) {
    const auto cell = static_cast<std::size_t>(c);
    for (int q = 0; q < rows_; ++q)
      column(c)[q] =
          rays[static_cast<std::size_t>(q) * columns + table_.column(cell)] * weight(cell, q);
  }
}

void DdView3d::store(double unit, float* rays) const {
  const auto columns = static_cast<std::size_t>(table_.cells());
  for (int c = 0; c < table_.cells(); ++c) {
    const auto cell = static_cast<std::size_t>(c);
    for (int q = 0; q < rows_; ++q)
      rays[static_cast<std::size_t>(q) * columns + table_.column(cell)] =
          static_cast<float>(column(c)[q] * unit) * weight(cell, q);
  }
}

}  // namespace gantry
