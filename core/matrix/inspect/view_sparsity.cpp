#include "core/matrix/inspect/view_sparsity.hpp"

#include "core/operator/row_norms.hpp"

#include <algorithm>

namespace gantry {

ViewSparsity view_sparsity(const Projector& weights, int view, int detector_row, int slice,
                           int width, int height, const Interrupt* interrupt) {
  const VolumeGrid& grid = weights.grid();
  const std::size_t pixels = grid.index(0, 0, 1), first = grid.index(0, 0, slice),
                    rays = static_cast<std::size_t>(weights.geometry().columns());
  ViewSparsity result;
  result.view = view;
  result.width =
      static_cast<int>(std::clamp<std::size_t>(static_cast<std::size_t>(width), 1, pixels));
  result.height =
      static_cast<int>(std::clamp<std::size_t>(static_cast<std::size_t>(height), 1, rays));
  const auto across = static_cast<std::size_t>(result.width),
             down = static_cast<std::size_t>(result.height);
  result.count.assign(across * down, 0);
  const auto rows = require_row_source(weights).view_rows(view);
  RowWeights row;
  for (std::size_t u = 0; u < rays; ++u) {
    if (interrupt != nullptr) interrupt->check();
    rows->weights(static_cast<int>(u), detector_row, row);
    result.row_nonzeros.push_back(static_cast<std::uint32_t>(row.size()));
    std::uint32_t* dots = result.count.data() + u * down / rays * across;
    for (const std::size_t voxel : row.voxel)
      if (voxel >= first && voxel < first + pixels) ++dots[(voxel - first) * across / pixels];
  }
  return result;
}

}  // namespace gantry
