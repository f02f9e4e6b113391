#include "core/metrics/contrast_to_noise.hpp"

#include <cmath>

namespace gantry {

RegionStatistics region_statistics(const VolumeGrid& grid, std::span<const float> values,
                                   const Region& region) {
  // The sums are taken relative to the first voxel, so that a small deviation far from zero (HU)
  // keeps its digits.
  double shift = 0, sum = 0, squares = 0;
  RegionStatistics result;
  for_each_voxel(grid, region, [&](std::size_t i) {
    if (result.voxels++ == 0) shift = values[i];
    const double d = values[i] - shift;
    sum += d;
    squares += d * d;
  });
  const auto n = static_cast<double>(result.voxels);
  if (n >= 1) result.mean = shift + sum / n;
  if (n >= 2) result.deviation = std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1)));
  return result;
}

MetricValue contrast_to_noise(const ImagePair& pair) {
  require_image(pair);
  if (pair.regions == nullptr || !pair.regions->roi || !pair.regions->background)
    return {nan_value, "needs a region of interest and a background region"};
  const RegionStatistics roi = region_statistics(pair.grid, pair.x, *pair.regions->roi),
                         background =
                             region_statistics(pair.grid, pair.x, *pair.regions->background);
  if (roi.voxels == 0) return {nan_value, "the region of interest holds no voxel"};
  if (background.voxels < 2) return {nan_value, "the background region holds no two voxels"};
  if (std::isnan(roi.mean) || std::isnan(background.mean))
    return {nan_value, "a value of a region is not a finite number"};
  if (background.deviation == 0) return {nan_value, "the background region is without noise"};
  return std::abs(roi.mean - background.mean) / background.deviation;
}

std::unique_ptr<Metric> make_contrast_to_noise(const Params&) {
  return std::make_unique<Metric>("CNR", "", false, contrast_to_noise, MetricNeeds::regions);
}

}  // namespace gantry
