#pragma once

#include "core/job/metric_mask.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

struct ExperimentData;
struct LoadedVolume;

/// What metrics compare an estimate with: an image on the reconstruction grid, in host memory, and
/// those of its voxels that count. Immutable. References with other masks have one image in common.
struct Reference {
  VolumeGrid grid;
  std::shared_ptr<const std::vector<float>> image;  ///< [iz][iy][ix], 1/mm; never null
  double range = 0;                                 ///< max - min, used by PSNR and SSIM
  std::string label;                                ///< "truth", or the name of the run it is of
  MetricMask mask;
  /// Not 0 for voxels without a value, which no mask counts; null: all have one.
  std::shared_ptr<const std::vector<std::uint8_t>> unknown;

  const std::vector<float>& mu() const { return *image; }
};

std::shared_ptr<const Reference> make_reference(const VolumeGrid& grid, std::vector<float> mu,
                                                std::string label, MetricMask mask = {});

/// Returns the same image with another mask, less the voxels without a value.
std::shared_ptr<const Reference> with_mask(const Reference& reference, MetricMask mask);

/// Whether metrics against both are the same: they have one image and count the same voxels.
bool are_same(const Reference* a, const Reference* b);

/// Returns the truth of data with the mask that metrics ask for: the data's own reference where
/// that has it; null for data without one. Throws what metric_mask() throws.
std::shared_ptr<const Reference> reference_with(const MaskSpec& mask, const ExperimentData& data);

/// Makes an image from elsewhere the reference of prepared data, interpolated onto their grid, with
/// a mask. Voxels without a value (LoadedVolume::unknown) and voxels next to them are removed from
/// the mask, which the mask's label mentions.
void set_external_reference(ExperimentData& data, const LoadedVolume& volume,
                            const std::string& label, const MetricMask& mask);

/// Removes voxels without a value from a measurement: sets their `values` to NaN, so that none can
/// be used by mistake, and removes them from the mask; an empty mask means all voxels. Returns the
/// number of voxels removed from the mask.
std::size_t exclude_unknown(std::span<const std::uint8_t> unknown, std::span<float> values,
                            std::vector<std::uint8_t>& mask);

/// Returns "without 512 voxels that are not finite".
std::string without_unknown(std::size_t count);

}  // namespace gantry
