#include "core/job/reference/given_reference.hpp"

#include "core/data/resample.hpp"
#include "core/metrics/metric.hpp"

#include <utility>

namespace gantry {

namespace {

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
