#pragma once

#include "core/job/experiment_data.hpp"

#include <string>

namespace gantry {

/// Makes a volume from elsewhere the reference of prepared data, on their grid. Voxels that it has
/// no value for (LoadedVolume::unknown), or that lie next to one, leave the mask, which its label
/// says.
void give_reference(ExperimentData& data, const LoadedVolume& volume, const std::string& label);

/// Leaves voxels without a value out of a measurement: `values` are NaN there, so that nothing
/// counts them unnoticed, and the mask, which is made of all voxels where it is empty, no longer
/// holds them. Returns how many it held.
std::size_t leave_out(std::span<const std::uint8_t> unknown, std::span<float> values,
                      std::vector<std::uint8_t>& mask);

/// "without 512 voxels that are not finite"
std::string without_unknown(std::size_t count);

}  // namespace gantry
