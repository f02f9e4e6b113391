#include "studies/slice_image.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gantry {

const char* name_of(Plane plane) {
  switch (plane) {
    case Plane::sagittal:
      return "sagittal plane";
    case Plane::coronal:
      return "coronal plane";
    default:
      return "transverse plane";
  }
}

StudyImage slice_image(std::string key, std::string title, std::span<const float> volume,
                       const VolumeGrid& grid, const GreyWindow& window, double factor,
                       Plane plane) {
  StudyImage image{.key = std::move(key),
                   .title = std::move(title),
                   .unit = window.unit,
                   .width = plane == Plane::sagittal ? grid.ny : grid.nx,
                   .height = plane == Plane::transverse ? grid.ny : grid.nz,
                   .values = {},
                   .low = window.low,
                   .high = window.high};
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column) {
      const std::size_t at = plane == Plane::transverse ? grid.index(column, row, grid.nz / 2)
                             : plane == Plane::sagittal ? grid.index(grid.nx / 2, column, row)
                                                        : grid.index(column, grid.ny / 2, row);
      image.values.push_back(static_cast<float>(factor * volume[at]));
    }
  return image;
}

StudyImage difference_image(std::string key, std::string title, std::span<const float> volume,
                            std::span<const float> reference, const VolumeGrid& grid,
                            const GreyWindow& window, double factor, Plane plane) {
  std::vector<float> difference(volume.size());
  std::ranges::transform(volume, reference, difference.begin(), std::minus<>());
  return slice_image(std::move(key), std::move(title), difference, grid, window, factor, plane);
}

StudyImage contour_image(StudyImage image, double low, double step) {
  const std::vector<float> values = std::move(image.values);
  const auto width = static_cast<std::size_t>(image.width);
  const auto level = [&](std::size_t i) { return std::floor((values[i] - low) / step); };
  image.values.assign(values.size(), 0.0F);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool across = (i + 1) % width != 0 && level(i) != level(i + 1),
               up = i + width < values.size() && level(i) != level(i + width);
    if (across || up) image.values[i] = 1;
  }
  image.unit = {};
  image.low = 0;
  image.high = 1;
  return image;
}

StudyImage ten_contours(StudyImage image, const StudyImage& reference) {
  std::vector<float> sorted = reference.values;
  std::ranges::sort(sorted);
  const double least = sorted[sorted.size() / 10], step = (sorted.back() - least) / 11;
  image.title +=
      ", levels " + shown(least + step) + " to " + shown(least + 10 * step) + " in ten steps";
  return contour_image(std::move(image), least, step);
}

}  // namespace gantry
