// A[ray(g, r), voxel(g, j)] = A[r, j] (symmetry.hpp): the image of a matrix row under an element
// has the weights of the original row.
#include "core/matrix/inspect/symmetric_row.hpp"

#include "core/operator/row_norms.hpp"

#include <algorithm>

namespace gantry {

namespace {

VoxelIndex place_of(std::size_t voxel, const VolumeGrid& grid) {
  const auto nx = static_cast<std::size_t>(grid.nx), ny = static_cast<std::size_t>(grid.ny);
  return {static_cast<int>(voxel % nx), static_cast<int>(voxel / nx % ny),
          static_cast<int>(voxel / (nx * ny))};
}

}  // namespace

RowWeights row_of(const Projector& weights, RayIndex ray) {
  RowWeights row;
  require_row_source(weights).view_rows(ray.view)->weights(ray.column, ray.row, row);
  return row;
}

SliceImage footprint(const RowWeights& row, const VolumeGrid& grid, int slice, int width,
                     int height) {
  SliceImage image = slice_frame(grid, Axis::axial, slice);
  image.width = std::clamp(width, 1, grid.nx);
  image.height = std::clamp(height, 1, grid.ny);
  const Vec3 low = grid.lower_corner_mm();
  image.du_mm *= static_cast<double>(grid.nx) / image.width;
  image.dv_mm *= static_cast<double>(grid.ny) / image.height;
  image.u0_mm = low.x + 0.5 * image.du_mm;
  image.v0_mm = low.y + 0.5 * image.dv_mm;
  const auto across = static_cast<std::size_t>(image.width),
             up = static_cast<std::size_t>(image.height);
  image.values.assign(across * up, 0.0F);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const VoxelIndex at = place_of(row.voxel[k], grid);
    if (at.z != image.index) continue;
    const std::size_t x = static_cast<std::size_t>(at.x) * across /
                          static_cast<std::size_t>(grid.nx),
                      y = static_cast<std::size_t>(at.y) * up / static_cast<std::size_t>(grid.ny);
    float& dot = image.values[y * across + x];
    dot = std::max(dot, static_cast<float>(row.weight[k]));
  }
  return image;
}

std::vector<RayCopy> symmetric_copies(const ScanSymmetry& symmetry, const VolumeGrid& grid,
                                      RayIndex ray, const RowWeights& row) {
  std::vector<RayCopy> copies;
  for (const SymmetryElement& g : symmetry.elements()) {
    const RayIndex image = symmetry.ray(g, ray);
    if (std::ranges::find(copies, image, &RayCopy::ray) != copies.end()) continue;
    RayCopy& copy = copies.emplace_back(RayCopy{g, image, {}});
    for (std::size_t k = 0; k < row.size(); ++k) {
      const VoxelIndex to = symmetry.voxel(g, place_of(row.voxel[k], grid));
      copy.row.add(grid.index(to.x, to.y, to.z), row.weight[k]);
    }
  }
  return copies;
}

}  // namespace gantry
