#include "core/job/reference.hpp"

#include "core/data/resample.hpp"
#include "core/job/experiment_data.hpp"
#include "core/metrics/metric.hpp"

#include <utility>

namespace gantry {

namespace {

/// Removes voxels without a value from a mask of `voxels` voxels. Returns how many it removes.
std::size_t remove_unknown(std::span<const std::uint8_t> unknown, std::size_t voxels,
                           std::vector<std::uint8_t>& mask) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i] == 0) continue;
    if (mask.empty()) mask.assign(voxels, 1);
    count += mask[i] != 0 ? 1 : 0;
    mask[i] = 0;
  }
  return count;
}

/// Returns 1 for each voxel of `grid` whose interpolated value depends on an unknown voxel, else 0;
/// null where all are known.
std::shared_ptr<const std::vector<std::uint8_t>> unknown_on(const VolumeGrid& grid,
                                                            const LoadedVolume& volume) {
  if (volume.unknown.empty()) return nullptr;
  std::vector<std::uint8_t> unknown;
  const std::vector<float> weights(volume.unknown.begin(), volume.unknown.end());
  for (const float weight : resample_volume(volume.grid, weights, grid))
    unknown.push_back(weight > 0 ? 1 : 0);
  return std::make_shared<const std::vector<std::uint8_t>>(std::move(unknown));
}

}  // namespace

std::size_t exclude_unknown(std::span<const std::uint8_t> unknown, std::span<float> values,
                            std::vector<std::uint8_t>& mask) {
  for (std::size_t i = 0; i < unknown.size(); ++i)
    if (unknown[i] != 0) values[i] = static_cast<float>(nan_value);
  return remove_unknown(unknown, values.size(), mask);
}

std::string without_unknown(std::size_t count) {
  return "without " + std::to_string(count) + (count == 1 ? " voxel that is" : " voxels that are") +
         " not finite";
}

std::shared_ptr<const Reference> make_reference(const VolumeGrid& grid, std::vector<float> mu,
                                                std::string label, MetricMask mask) {
  const double range = range_of(mu);
  return std::make_shared<const Reference>(
      Reference{grid, std::make_shared<const std::vector<float>>(std::move(mu)), range,
                std::move(label), std::move(mask), nullptr});
}

std::shared_ptr<const Reference> with_mask(const Reference& reference, MetricMask mask) {
  auto other = std::make_shared<Reference>(reference);
  other->mask = std::move(mask);
  if (reference.unknown == nullptr) return other;
  const std::span<const std::uint8_t> all = other->mask.voxels.voxels();
  std::vector<std::uint8_t> known(all.begin(), all.end());
  const std::size_t count = remove_unknown(*reference.unknown, reference.mu().size(), known);
  if (count > 0) other->mask.label += ", " + without_unknown(count);
  other->mask.voxels = VoxelMask(std::move(known));
  return other;
}

bool are_same(const Reference* a, const Reference* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->image == b->image && a->mask.spec == b->mask.spec;
}

std::shared_ptr<const Reference> reference_with(const MaskSpec& mask, const ExperimentData& data) {
  if (data.reference == nullptr || data.reference->mask.spec == mask) return data.reference;
  return with_mask(*data.reference, metric_mask(mask, data.measured_geometry(), data.grid));
}

void set_external_reference(ExperimentData& data, const LoadedVolume& volume,
                            const std::string& label, const MetricMask& mask) {
  std::vector<float> mu = resample_volume(volume.grid, volume.mu, data.grid);
  Reference all{data.grid, nullptr, 0, label, {}, unknown_on(data.grid, volume)};
  std::vector<std::uint8_t> known;
  if (all.unknown != nullptr) exclude_unknown(*all.unknown, mu, known);
  all.range = range_of(mu, known);
  all.image = std::make_shared<const std::vector<float>>(std::move(mu));
  data.reference = with_mask(all, mask);
}

}  // namespace gantry
