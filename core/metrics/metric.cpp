#include "core/metrics/metric.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

void require_image(const ImagePair& pair) {
  if (pair.x.size() != pair.grid.voxels())
    throw ShapeError("an image to measure does not have its grid's size");
  if (!pair.mask.empty() && pair.mask.size() != pair.x.size())
    throw ShapeError("a mask does not have the size of the images it is for");
}

void require_shapes(const ImagePair& pair) {
  require_image(pair);
  if (pair.reference.size() != pair.x.size())
    throw ShapeError("images to compare do not have their grid's size");
}

bool Metric::applies_to(const ImagePair& pair) const {
  switch (needs_) {
    case MetricNeeds::reference:
      return !pair.reference.empty();
    case MetricNeeds::regions:
      return pair.regions != nullptr && pair.regions->roi && pair.regions->background;
    case MetricNeeds::edge:
      return pair.regions != nullptr && pair.regions->edge.has_value();
  }
  return false;
}

MetricValue Metric::measure(const ImagePair& pair) const {
  require_image(pair);
  if (needs_ == MetricNeeds::reference && pair.reference.empty())
    return {nan_value, "needs a reference"};
  MetricValue result = function_(pair);
  if (std::isnan(result.value) && result.problem.empty()) result.problem = not_defined;
  return result;
}

std::vector<std::uint8_t> circle_mask(const VolumeGrid& grid, double radius_mm) {
  std::vector<std::uint8_t> mask(grid.voxels());
#pragma omp parallel for schedule(static)
  for (int iy = 0; iy < grid.ny; ++iy)
    for (int ix = 0; ix < grid.nx; ++ix) {
      const Vec3 p = grid.voxel_center_mm(ix, iy, 0);
      mask[grid.index(ix, iy, 0)] = std::hypot(p.x, p.y) <= radius_mm ? 1 : 0;
    }
  // The mask is the same in all slices.
  const std::size_t slice = grid.voxels() / static_cast<std::size_t>(grid.nz);
#pragma omp parallel for schedule(static)
  for (int iz = 1; iz < grid.nz; ++iz)
    std::copy_n(mask.data(), slice, mask.data() + static_cast<std::size_t>(iz) * slice);
  return mask;
}

double range_of(std::span<const float> reference, std::span<const std::uint8_t> mask) {
  if (!mask.empty() && mask.size() != reference.size())
    throw ShapeError("a mask does not have the size of the image it is for");
  float low = std::numeric_limits<float>::infinity(), high = -low;
  bool any = false;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!mask.empty() && mask[i] == 0) continue;
    if (std::isnan(reference[i])) return std::numeric_limits<double>::quiet_NaN();
    low = std::min(low, reference[i]);
    high = std::max(high, reference[i]);
    any = true;
  }
  return any ? static_cast<double>(high) - low : 0.0;
}

}  // namespace gantry
