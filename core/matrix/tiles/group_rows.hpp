#pragma once

#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/operator/row_norms.hpp"

#include <map>
#include <memory>

namespace gantry {

/// Computes on request which patches of pixels the rays of a group meet. The arguments of the
/// constructor must outlive the object. May be used by several threads at once.
class GroupRows {
 public:
  GroupRows(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels)
      : source_(require_row_source(slice)),
        rays_(rays),
        pixels_(pixels),
        rows_(slice.geometry().rows()),
        columns_(slice.geometry().columns()) {}

  /// Returns the entries of a group (tile_entry), ascending, with the tiles that have nonzeros; the
  /// other tiles of their blocks are not added. Adds the group's nonzeros to `nonzeros`.
  std::vector<std::uint32_t> entries(std::size_t group, double* nonzeros = nullptr) const {
    std::vector<std::vector<std::uint32_t>> met(group_rays);
    std::map<int, std::unique_ptr<ViewRows>> views;
    RowWeights row;
    for (std::size_t i = 0; i < group_rays; ++i) {
      const std::int32_t ray = rays_.at[group * group_rays + i];
      if (ray < 0) continue;
      const std::int32_t line = ray / columns_;
      auto& view = views[line / rows_];
      if (view == nullptr) view = source_.view_rows(line / rows_);
      view->weights(ray % columns_, line % rows_, row);
      for (const std::size_t pixel : row.voxel)
        if (const std::int32_t at = pixels_.position[pixel]; at >= 0)
          met[i].push_back(static_cast<std::uint32_t>(at) / patch_pixels);
      if (nonzeros != nullptr) *nonzeros += static_cast<double>(met[i].size());
    }
    return tile_entries(met);
  }

 private:
  const RowSource& source_;
  const BlockOrder& rays_;
  const BlockOrder& pixels_;
  int rows_, columns_;
};

}  // namespace gantry
