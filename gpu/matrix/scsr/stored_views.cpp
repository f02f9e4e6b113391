#include "gpu/matrix/scsr/stored_views.hpp"

#include "core/base/error.hpp"
#include "core/operator/projector.hpp"

#include <algorithm>

namespace gantry {

namespace {

device::PixelMap pixel_map(const ScanSymmetry& symmetry, const SymmetryElement& g,
                           const VolumeGrid& grid) {
  const auto index = [&](int x, int y) {
    const VoxelIndex to = symmetry.voxel(g, {x, y, 0});
    return to.y * grid.nx + to.x;
  };
  return {index(0, 0), index(1, 0) - index(0, 0), index(0, 1) - index(0, 0)};
}

}  // namespace

StoredViews::StoredViews(const ScanSymmetry& symmetry, const VolumeGrid& grid, int columns)
    : views(symmetry.stored_views()),
      elements(static_cast<int>(symmetry.elements().size())),
      image(8 * symmetry.stored_views().size(), device::StoredView{-1, 0, 0}) {
  const auto& group = symmetry.elements();
  for (std::size_t g = 0; g < group.size(); ++g) {
    pixel[g] = pixel_map(symmetry, group[g], grid);
    inverse[g] = pixel_map(symmetry, gantry::inverse(group[g]), grid);
  }
  const auto place = [](const auto& list, const auto& value) {
    return static_cast<int>(std::ranges::find(list, value) - list.begin());
  };
  for (std::size_t v = 0; v < symmetry.images().size(); ++v) {
    const ScanSymmetry::Image& made = symmetry.images()[v];
    const int stored = place(views, made.stored_view), element = place(group, made.element);
    const int flip =
        columns > 1 && symmetry.ray(made.element, {made.stored_view, 0, 0}).column != 0 ? 1 : 0;
    source.push_back({stored, element, flip});
    image[static_cast<std::size_t>(8 * stored + element)] = {static_cast<int>(v), element, flip};
  }
}

void require_stored_views(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSymmetry symmetry(geometry, grid);
  if (symmetry.elements().size() > 1) return;
  const ScanSymmetry::Failure& failure = symmetry.failures().front();
  throw UsageError("SCSR stores a part of the views, but no symmetry maps this scan onto itself; " +
                       describe(failure.element) + ": " + failure.reason,
                   "format", "use a format without symmetry, such as csr");
}

}  // namespace gantry
