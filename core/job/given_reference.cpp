#include "core/job/given_reference.hpp"

#include "core/data/resample.hpp"
#include "core/metrics/metric.hpp"

#include <utility>

namespace gantry {

namespace {

/// Returns 1 for each voxel of `grid` whose interpolated value depends on an unknown voxel, else 0.
std::vector<std::uint8_t> unknown_on(const VolumeGrid& grid, const LoadedVolume& volume) {
  std::vector<std::uint8_t> unknown;
  if (volume.unknown.empty()) return unknown;
  const std::vector<float> shares(volume.unknown.begin(), volume.unknown.end());
  for (const float share : resample_volume(volume.grid, shares, grid))
    unknown.push_back(share > 0 ? 1 : 0);
  return unknown;
}

}  // namespace

std::size_t exclude_unknown(std::span<const std::uint8_t> unknown, std::span<float> values,
                            std::vector<std::uint8_t>& mask) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i] == 0) continue;
    if (mask.empty()) mask.assign(values.size(), 1);
    values[i] = static_cast<float>(nan_value);
    count += mask[i] != 0 ? 1 : 0;
    mask[i] = 0;
  }
  return count;
}

std::string without_unknown(std::size_t count) {
  return "without " + std::to_string(count) + (count == 1 ? " voxel that is" : " voxels that are") +
         " not finite";
}

void set_external_reference(ExperimentData& data, const LoadedVolume& volume,
                            const std::string& label) {
  auto reference = std::make_shared<Reference>();
  reference->grid = data.grid;
  reference->label = label;
  reference->mu = resample_volume(volume.grid, volume.mu, data.grid);
  const std::vector<std::uint8_t> unknown = unknown_on(data.grid, volume);
  std::vector<std::uint8_t> known;
  exclude_unknown(unknown, reference->mu, known);
  reference->range = range_of(reference->mu, known);
  if (!unknown.empty()) {
    const std::span<const std::uint8_t> all = data.mask.voxels();
    std::vector<std::uint8_t> mask(all.begin(), all.end());
    const std::size_t count = exclude_unknown(unknown, reference->mu, mask);
    if (count > 0) data.mask_label += ", " + without_unknown(count);
    data.mask = VoxelMask(std::move(mask));
  }
  data.reference = std::move(reference);
}

std::shared_ptr<const Reference> make_reference(const VolumeGrid& grid, std::vector<float> mu,
                                                std::string label) {
  auto reference = std::make_shared<Reference>();
  reference->grid = grid;
  reference->range = range_of(mu);
  reference->mu = std::move(mu);
  reference->label = std::move(label);
  return reference;
}

}  // namespace gantry
