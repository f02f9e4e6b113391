#include "core/geometry/voxel_lattice.hpp"

#include <numeric>

namespace gantry {

std::vector<VoxelLattice> voxel_colours(const VolumeGrid& grid, int spacing) {
  const std::array<int, 3> stride = {std::min(spacing, grid.nx), std::min(spacing, grid.ny),
                                     std::min(spacing, grid.nz)};
  const int count = stride[0] * stride[1] * stride[2];
  // Steps of about 0.618 count that share no factor with count visit every lattice once.
  int step = std::max(1, static_cast<int>(0.618 * count + 0.5));
  while (std::gcd(step, count) != 1) ++step;
  std::vector<VoxelLattice> colours;
  for (int n = 0; n < count; ++n) {
    const int at = static_cast<int>(static_cast<long long>(n) * step % count);
    colours.push_back(
        {{at % stride[0], at / stride[0] % stride[1], at / (stride[0] * stride[1])}, stride});
  }
  return colours;
}

}  // namespace gantry
