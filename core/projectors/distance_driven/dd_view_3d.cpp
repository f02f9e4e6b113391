#include "core/projectors/distance_driven/dd_view_3d.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

DdView3d::DdView3d(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
    : spec_(&geometry.spec()),
      rows_(geometry.rows()),
      table_(geometry, grid, view),
      axial_(geometry, grid, view),
      values_(geometry.cells(), 0.0F) {}

/// Returns the factor of the weights that does not depend on the layer: path length per layer over
/// footprint width.
float DdView3d::weight(std::size_t cell, int row) const {
  const double slope_z =
      (row - spec_->central_row) * spec_->row_pitch_mm * table_.inverse_depth[cell];
  const double in_plane = table_.length_mm[cell], rise = slope_z * table_.slices.w_spacing_mm;
  return static_cast<float>(std::sqrt(in_plane * in_plane + rise * rise) *
                            table_.inverse_width[cell]);
}

/// Calls use(value of a cell, its index among the view's rays, its weight) for all cells, in blocks
/// for which values and rays both stay in cache.
template <class Values, class Use>
void DdView3d::for_cells(Values& values, const Use& use) const {
  constexpr int block = 16;
  const auto columns = static_cast<std::size_t>(table_.cells());
  for (int first = 0; first < table_.cells(); first += block)
    for (int q = 0; q < rows_; ++q)
      for (int c = first; c < std::min(table_.cells(), first + block); ++c) {
        const auto cell = static_cast<std::size_t>(c), row = static_cast<std::size_t>(q);
        use(values[offset(c) + row], row * columns + table_.column(cell), weight(cell, q));
      }
}

void DdView3d::load(const float* rays) {
  for_cells(values_,
            [=](float& value, std::size_t ray, float weight) { value = rays[ray] * weight; });
}

void DdView3d::store(double unit, float* rays) const {
  for_cells(values_, [=](float value, std::size_t ray, float weight) {
    rays[ray] = static_cast<float>(value * unit) * weight;
  });
}

}  // namespace gantry
