#pragma once

#include "core/metrics/metric.hpp"
#include "core/metrics/region.hpp"

#include <memory>
#include <span>

namespace gantry {

/// The number, mean and sample standard deviation (over N - 1) of the voxels in a region. The mean
/// is NaN for no voxel, the deviation for fewer than two.
struct RegionStatistics {
  std::size_t voxels = 0;
  double mean = nan_value;
  double deviation = nan_value;
};
/// Returns the statistics of `values` [iz][iy][ix] in a region.
RegionStatistics region_statistics(const VolumeGrid& grid, std::span<const float> values,
                                   const Region& region);

/// Returns the contrast-to-noise ratio of a region of interest against a background region,
///   CNR = |mean_roi - mean_background| / sigma_background
/// with the background's sample standard deviation (Bushberg, Seibert, Leidholdt and Boone, The
/// Essential Physics of Medical Imaging, 3rd ed. 2012, chapter 4). The ratio has no unit and needs
/// no reference. Returns NaN, with the reason, for a region without voxels or a background without
/// noise.
MetricValue contrast_to_noise(const ImagePair& pair);

/// Returns the entry for a Registry<Metric>; there are no parameters, since the regions come from
/// the ImagePair.
std::unique_ptr<Metric> make_contrast_to_noise(const Params& params);

}  // namespace gantry
