#pragma once

#include "core/data/slice.hpp"
#include "core/metrics/contrast_to_noise.hpp"

#include <optional>

namespace gantry {

/// The values of the pixels of an axial slice whose centres lie in a region.
struct RegionStats {
  RegionStatistics values;         ///< number, mean and sample standard deviation, 1/mm
  double least = 0, greatest = 0;  ///< 1/mm
  double area_mm2 = 0;             ///< of these pixels
};

/// Returns nothing unless the slice is axial and a pixel lies in the region.
std::optional<RegionStats> region_stats(const SliceImage& slice, const Region& region);

}  // namespace gantry
