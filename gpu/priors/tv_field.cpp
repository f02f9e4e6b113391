#include "gpu/priors/tv_field.hpp"

#include <algorithm>

namespace gantry {

device::TvField tv_field(const VolumeGrid& grid) {
  device::TvField field{grid.nx, grid.ny, grid.nz, difference_axes(grid), {}};
  std::ranges::transform(difference_weights(grid), field.weight,
                         [](double weight) { return static_cast<float>(weight); });
  return field;
}

}  // namespace gantry
