#include "gui/stage/region_stats.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

std::optional<RegionStats> region_stats(const SliceImage& slice, const Region& region) {
  if (slice.axis != Axis::axial) return std::nullopt;
  RegionStats stats;
  double sum = 0, squares = 0;
  const auto for_pixels = [&](const auto& body) {
    for (int iv = 0; iv < slice.height; ++iv)
      for (int iu = 0; iu < slice.width; ++iu)
        if (region.contains({slice.u0_mm + iu * slice.du_mm, slice.v0_mm + iv * slice.dv_mm,
                             slice.position_mm}))
          body(static_cast<double>(
              slice.values[static_cast<std::size_t>(iv) * static_cast<std::size_t>(slice.width) +
                           static_cast<std::size_t>(iu)]));
  };
  for_pixels([&](double value) {
    stats.least = stats.pixels == 0 ? value : std::min(stats.least, value);
    stats.greatest = stats.pixels == 0 ? value : std::max(stats.greatest, value);
    ++stats.pixels;
    sum += value;
  });
  if (stats.pixels == 0) return std::nullopt;
  const auto count = static_cast<double>(stats.pixels);
  stats.mean = sum / count;
  for_pixels([&](double value) { squares += (value - stats.mean) * (value - stats.mean); });
  stats.deviation = std::sqrt(squares / count);
  stats.area_mm2 = count * std::abs(slice.du_mm * slice.dv_mm);
  return stats;
}

}  // namespace gantry
