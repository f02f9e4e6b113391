#include "gpu/priors/qggmrf_field.hpp"

#include <cstddef>

namespace gantry {

device::QggmrfField qggmrf_field(const VolumeGrid& grid, const QggmrfShape& shape) {
  device::QggmrfField field{};
  field.nx = grid.nx;
  field.ny = grid.ny;
  field.nz = grid.nz;
  field.inverse_edge = static_cast<float>(1 / shape.edge);
  field.exponent = static_cast<float>(2 - shape.q);
  field.half_q = static_cast<float>(shape.q / 2);
  std::size_t k = 0;
  for (const NeighbourPair& pair : neighbour_pairs(grid))
    field.pair[k++] = {pair.dx, pair.dy, pair.dz, static_cast<float>(pair.weight)};
  return field;
}

}  // namespace gantry
