#include "gpu/matrix/bsr_half/patch_walk.hpp"

#include "core/matrix/tiles/tile_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

/// Returns a sort key for each patch: the index of its first pixel in the order y, z, x (by_rows)
/// or x, z, y. Patches without pixels get the largest key.
std::vector<std::int64_t> corners(const VolumeGrid& grid, const BlockOrder& pixels, bool by_rows) {
  std::vector<std::int64_t> corner(pixels.at.size() / patch_pixels,
                                   static_cast<std::int64_t>(grid.voxels()));
  for (std::size_t p = 0; p < pixels.at.size(); ++p) {
    if (pixels.at[p] < 0) continue;
    const std::int64_t x = pixels.at[p] % grid.nx, line = pixels.at[p] / grid.nx,
                       y = line % grid.ny, z = line / grid.ny;
    auto& least = corner[p / patch_pixels];
    least = std::min(least,
                     by_rows ? (y * grid.nz + z) * grid.nx + x : (x * grid.nz + z) * grid.ny + y);
  }
  return corner;
}

bool runs_along_y(const ScanGeometry& geometry, std::int32_t ray) {
  const Vec3 d = ViewRays(geometry, ray / static_cast<std::int32_t>(geometry.cells()))
                     .ray(ray % geometry.columns(), geometry.spec().central_row)
                     .direction;
  return std::abs(d.y) > std::abs(d.x);
}

}  // namespace

PatchWalk walk_patches(const Projector& slice, const BlockOrder& rays, const BlockOrder& pixels) {
  PatchWalk walk;
  const std::size_t patches = pixels.at.size() / patch_pixels;
  for (const bool by_rows : {false, true}) {
    const std::vector<std::int64_t> corner = corners(slice.grid(), pixels, by_rows);
    std::vector<std::int32_t> at(patches), turn(patches);
    std::iota(at.begin(), at.end(), 0);
    std::ranges::stable_sort(
        at, {}, [&](std::int32_t patch) { return corner[static_cast<std::size_t>(patch)]; });
    for (std::size_t i = 0; i < patches; ++i)
      turn[static_cast<std::size_t>(at[i])] = static_cast<std::int32_t>(i);
    for (const std::int32_t p : pixels.position)
      walk.position.push_back(
          p < 0
              ? p
              : turn[static_cast<std::size_t>(p / patch_pixels)] * patch_pixels + p % patch_pixels);
    walk.patch_at.insert(walk.patch_at.end(), at.begin(), at.end());
  }
  for (std::size_t first = 0; first < rays.at.size(); first += group_rays) {
    const auto group = std::span(rays.at).subspan(first, group_rays);
    const auto ray = std::ranges::find_if(group, [](std::int32_t at) { return at >= 0; });
    walk.by_rows.push_back(ray != group.end() && runs_along_y(slice.geometry(), *ray) ? 1 : 0);
  }
  return walk;
}

}  // namespace gantry
