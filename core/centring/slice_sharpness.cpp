#include "core/centring/slice_sharpness.hpp"

#include "core/alignment/view_circle.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace gantry {

namespace {

constexpr double seen_part = 0.96;  // of the radius
constexpr double most_negative = 0.5;
constexpr double least_arc_of_blur_deg = 270;

/// Calls visit(index) for each pixel of the circle, whose neighbours lie in the grid too.
template <class Visit>
void for_circle(const VolumeGrid& grid, const Visit& visit) {
  const double middle_x = 0.5 * (grid.nx - 1), middle_y = 0.5 * (grid.ny - 1),
               radius = seen_part * 0.5 * std::min(grid.nx, grid.ny);
  for (int y = 1; y < grid.ny - 1; ++y)
    for (int x = 1; x < grid.nx - 1; ++x)
      if (std::hypot(x - middle_x, y - middle_y) <= radius) visit(grid.index(x, y, 0));
}

}  // namespace

double negativity(std::span<const float> mu, const VolumeGrid& grid) {
  double negative = 0, sum = 0;
  for_circle(grid, [&](std::size_t at) {
    sum += mu[at];
    negative -= std::min(0.0F, mu[at]);
  });
  return negative <= most_negative * sum && sum > 0 ? negative / sum
                                                    : std::numeric_limits<double>::infinity();
}

double smoothness(std::span<const float> mu, const VolumeGrid& grid) {
  double square = 0;
  std::size_t count = 0;
  const auto line = static_cast<std::size_t>(grid.nx);
  for_circle(grid, [&](std::size_t at) {
    const double across = (mu[at + 1] - mu[at - 1]) / (2 * grid.spacing_mm.x),
                 along = (mu[at + line] - mu[at - line]) / (2 * grid.spacing_mm.y);
    square += across * across + along * along;
    ++count;
  });
  return square > 0 ? static_cast<double>(count) / square : std::numeric_limits<double>::infinity();
}

bool negative_values_show_axis(const ScanSpec& spec) {
  return degrees(ViewCircle(spec).covered_rad()) < least_arc_of_blur_deg;
}

SliceSharpness middle_slice_sharpness(std::span<const float> mu, const VolumeGrid& grid) {
  if (mu.size() != grid.voxels())
    throw ShapeError("a volume of " + std::to_string(mu.size()) + " values on a grid of " +
                     std::to_string(grid.voxels()) + " voxels");
  const auto pixels = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  const auto middle = mu.subspan(static_cast<std::size_t>(grid.nz / 2) * pixels, pixels);
  return {negativity(middle, grid), 1 / std::sqrt(smoothness(middle, grid))};
}

}  // namespace gantry
