#include "core/mapping/ray_walks.hpp"

#include "core/base/error.hpp"
#include "core/operator/row_access.hpp"
#include "core/operator/row_source.hpp"

#include <algorithm>

namespace gantry {

void require_walks(const Projector& projector) {
  if (projector.row_source() == nullptr)
    throw UsageError("this projector does not provide single weights, which rays are mapped by",
                     "projector", "use siddon or joseph");
  if (std::max(projector.range_size(), projector.domain_size()) >= no_ray)
    throw UsageError("threads are mapped to fewer than 2^32 - 1 rays and voxels", "grid",
                     "use fewer views or voxels");
}

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
