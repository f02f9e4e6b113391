#include "core/mapping/ray_walks.hpp"

namespace gantry {

RayWalks walks_of(const Projector& projector, std::span<const std::uint32_t> rays) {
  RayWalks walks;
  walks.rays.assign(rays.begin(), rays.end());
  walks.start.push_back(0);
  const std::size_t cells = projector.cells_per_view();
  const int columns = projector.geometry().columns();
  std::unique_ptr<ViewRows> view;
  std::size_t number_of_view = static_cast<std::size_t>(projector.views());
  RowWeights row;
  for (const std::uint32_t ray : rays) {
    if (ray / cells != number_of_view) {
      number_of_view = ray / cells;
      view = projector.row_source()->view_rows(static_cast<int>(number_of_view));
    }
    const int cell = static_cast<int>(ray % cells);
    view->weights(cell % columns, cell / columns, row);
    for (const std::size_t voxel : row.voxel)
      walks.voxels.push_back(static_cast<std::uint32_t>(voxel));
    walks.start.push_back(walks.voxels.size());
  }
  return walks;
}

}  // namespace gantry
