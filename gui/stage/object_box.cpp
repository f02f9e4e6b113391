#include "gui/stage/object_box.hpp"

#include <algorithm>

namespace gantry {

ObjectBox ObjectExtent::in(Axis axis) const {
  const std::size_t u = axis == Axis::sagittal ? 1 : 0, v = axis == Axis::axial ? 1 : 2;
  return {low_mm[u], high_mm[u], low_mm[v], high_mm[v]};
}

ObjectExtent object_extent(const VolumeGrid& grid, std::span<const float> values) {
  constexpr int most_along_axis = 128;  // a large volume is sampled, which takes milliseconds
  constexpr float share = 0.1F;
  constexpr double margin = 0.04;  // of the size of the object, on either side
  const std::array<int, 3> size = {grid.nx, grid.ny, grid.nz};
  std::array<int, 3> step{}, low = size, high = {-1, -1, -1};
  for (std::size_t axis = 0; axis < 3; ++axis)
    step[axis] = (size[axis] + most_along_axis - 1) / most_along_axis;
  const auto for_samples = [&](const auto& body) {
    for (int iz = 0; iz < grid.nz; iz += step[2])
      for (int iy = 0; iy < grid.ny; iy += step[1])
        for (int ix = 0; ix < grid.nx; ix += step[0])
          body(std::array<int, 3>{ix, iy, iz}, values[grid.index(ix, iy, iz)]);
  };
  float greatest = 0;
  for_samples(
      [&](const std::array<int, 3>&, float value) { greatest = std::max(greatest, value); });
  for_samples([&](const std::array<int, 3>& at, float value) {
    if (!(value > share * greatest)) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], at[axis] - step[axis] + 1);
      high[axis] = std::max(high[axis], at[axis] + step[axis] - 1);
    }
  });
  if (high[0] < 0) {
    low = {0, 0, 0};
    high = {grid.nx - 1, grid.ny - 1, grid.nz - 1};
  }
  const std::array<double, 3> spacing = {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z},
                              origin = {grid.origin_mm.x, grid.origin_mm.y, grid.origin_mm.z};
  ObjectExtent extent;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double first = std::max(0, low[axis]) - 0.5,
                 last = std::min(size[axis] - 1, high[axis]) + 0.5,
                 beyond = margin * (last - first);
    extent.low_mm[axis] = origin[axis] + (first - beyond) * spacing[axis];
    extent.high_mm[axis] = origin[axis] + (last + beyond) * spacing[axis];
  }
  return extent;
}

}  // namespace gantry
