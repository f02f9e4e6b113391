#pragma once

#include "core/metrics/metric.hpp"
#include "core/metrics/region.hpp"

#include <memory>
#include <span>

namespace gantry {

/// Of the voxels in a region: how many, mean, and standard deviation (of a sample: over N - 1).
/// NaN where there are too few of them.
struct RegionStatistics {
  std::size_t voxels = 0;
  double mean = nan_value;
  double deviation = nan_value;
};
RegionStatistics region_statistics(const VolumeGrid& grid, std::span<const float> values,
                                   const Region& region);

/// Contrast-to-noise ratio of a region of interest against a background region,
///   CNR = |mean_roi - mean_background| / sigma_background
/// with the background's sample standard deviation (Bushberg, Seibert, Leidholdt and Boone, The
/// Essential Physics of Medical Imaging, 3rd ed. 2012, chapter 4). No unit; needs no reference.
/// NaN, with the reason, for a region without voxels or a background without noise.
MetricValue contrast_to_noise(const ImagePair& pair);

/// Entry for a Registry<Metric>; no parameters: it measures the pair's regions.
std::unique_ptr<Metric> make_contrast_to_noise(const Params& params);

}  // namespace gantry
