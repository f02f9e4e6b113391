#pragma once

#include "core/job/experiment_data.hpp"

#include <string>

namespace gantry {

/// Makes an image from elsewhere the reference of prepared data, interpolated onto their grid, with
/// a mask. Voxels without a value (LoadedVolume::unknown) and voxels next to them are removed from
/// the mask, which the mask's label mentions.
void set_external_reference(ExperimentData& data, const LoadedVolume& volume,
                            const std::string& label, const MetricMask& mask);

}  // namespace gantry
