#include "core/projectors/dd_view_3d.hpp"

#include <cmath>

namespace gantry {

DdView3d::DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : spec_(&geometry.spec()),
      lower_mm_(grid.lower_corner_mm().z),
      voxel_mm_(grid.spacing_mm.z),
      rows_(geometry.rows()),
      table_(geometry, grid, view),
      values_(geometry.cells(), 0.0F) {}

AxialMap DdView3d::axial_map(int cell, int slice) const {
  const double first_edge_mm = (-0.5 - spec_->central_row) * spec_->row_pitch_mm;
  const double scale_mm =
      (table_.scale_first + slice * table_.scale_step) * table_.slices.u_spacing_mm;
  const float inverse_depth = table_.inverse_depth[static_cast<std::size_t>(cell)];
  const double zoom = inverse_depth == 0 ? 1.0 : scale_mm * inverse_depth;
  const double per_voxel = 1 / voxel_mm_;
  return {static_cast<float>((table_.source_z_mm + first_edge_mm * zoom - lower_mm_) * per_voxel),
          static_cast<float>(spec_->row_pitch_mm * zoom * per_voxel)};
}

double DdView3d::row_height(double scale, double inverse_depth) const {
  const double zoom = inverse_depth == 0 ? 1.0 : scale * table_.slices.u_spacing_mm * inverse_depth;
  return spec_->row_pitch_mm * zoom / voxel_mm_;
}

double DdView3d::tallest_row() const {
  return row_height(table_.largest_scale(), *std::ranges::max_element(table_.inverse_depth));
}

double DdView3d::lowest_row() const {
  return row_height(table_.smallest_scale(), *std::ranges::min_element(table_.inverse_depth));
}

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
