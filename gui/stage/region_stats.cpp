#include "gui/stage/region_stats.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::optional<RegionStats> region_stats(const SliceImage& slice, const Region& region) {
  if (slice.axis != Axis::axial) return std::nullopt;
  VolumeGrid grid;
  grid.nx = slice.width;
  grid.ny = slice.height;
  grid.spacing_mm = {slice.du_mm, slice.dv_mm, 1};
  grid.origin_mm = {slice.u0_mm, slice.v0_mm, slice.position_mm};
  RegionStats stats;
  stats.values = region_statistics(grid, slice.values, region);
  if (stats.values.voxels == 0) return std::nullopt;
  stats.least = INFINITY;
  stats.greatest = -INFINITY;
  for_each_voxel(grid, region, [&](std::size_t pixel) {
    stats.least = std::min(stats.least, static_cast<double>(slice.values[pixel]));
    stats.greatest = std::max(stats.greatest, static_cast<double>(slice.values[pixel]));
  });
  stats.area_mm2 = static_cast<double>(stats.values.voxels) * std::abs(slice.du_mm * slice.dv_mm);
  return stats;
}

}  // namespace gantry
