#pragma once

#include "core/job/experiment_data.hpp"

#include <string>

namespace gantry {

/// Makes an image from elsewhere the reference of prepared data, interpolated onto their grid.
/// Voxels without a value (LoadedVolume::unknown) and voxels next to them are removed from the
/// mask, which the mask's label mentions.
void set_external_reference(ExperimentData& data, const LoadedVolume& volume,
                            const std::string& label);

/// Removes voxels without a value from a measurement: sets their `values` to NaN, so that none can
/// be used by mistake, and removes them from the mask; an empty mask means all voxels. Returns the
/// number of voxels removed from the mask.
std::size_t exclude_unknown(std::span<const std::uint8_t> unknown, std::span<float> values,
                            std::vector<std::uint8_t>& mask);

/// Returns "without 512 voxels that are not finite".
std::string without_unknown(std::size_t count);

}  // namespace gantry
