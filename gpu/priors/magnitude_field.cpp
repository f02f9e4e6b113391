#include "gpu/priors/magnitude_field.hpp"

#include <algorithm>

namespace gantry {

device::MagnitudeField magnitude_field(const VolumeGrid& grid) {
  device::MagnitudeField field{grid.nx, grid.ny, grid.nz, difference_axes(grid), {}};
  std::ranges::transform(difference_weights(grid), field.weight,
                         [](double weight) { return static_cast<float>(weight); });
  return field;
}

}  // namespace gantry
