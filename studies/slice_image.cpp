#include "studies/slice_image.hpp"

#include <algorithm>
#include <functional>

namespace gantry {

StudyImage slice_image(std::string key, std::string title, std::span<const float> volume,
                       const VolumeGrid& grid, const GreyWindow& window, double factor) {
  StudyImage image{.key = std::move(key),
                   .title = std::move(title),
                   .unit = window.unit,
                   .width = grid.nx,
                   .height = grid.ny,
                   .values = {},
                   .low = window.low,
                   .high = window.high};
  const auto slice = volume.subspan(grid.index(0, 0, grid.nz / 2), grid.index(0, 0, 1));
  for (const float value : slice) image.values.push_back(static_cast<float>(factor * value));
  return image;
}

StudyImage difference_image(std::string key, std::string title, std::span<const float> volume,
                            std::span<const float> reference, const VolumeGrid& grid,
                            const GreyWindow& window, double factor) {
  std::vector<float> difference(volume.size());
  std::ranges::transform(volume, reference, difference.begin(), std::minus<>());
  return slice_image(std::move(key), std::move(title), difference, grid, window, factor);
}

}  // namespace gantry
