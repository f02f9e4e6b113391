#include "gpu/matrix/scsr/cone_stored_views.hpp"

#include "core/base/error.hpp"
#include "gpu/matrix/scsr/tuning.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace gantry {

namespace {

std::vector<SymmetryElement> elements_in_plane(const ScanSymmetry& symmetry) {
  std::vector<SymmetryElement> list;
  for (const SymmetryElement& g : symmetry.elements())
    if (!g.mirror_z) list.push_back(g);
  return list;
}

template <class List, class Value>
int place_of(const List& list, const Value& value) {
  return static_cast<int>(std::ranges::find(list, value) - list.begin());
}

/// The index of the image of voxel (x, y, z) under an element. The map is affine in whole numbers.
struct VoxelMap {
  std::int64_t origin, per_x, per_y, per_z;
  std::int64_t at(int x, int y, int z) const { return origin + per_x * x + per_y * y + per_z * z; }
};
VoxelMap voxel_map(const ScanSymmetry& symmetry, const SymmetryElement& g, const VolumeGrid& grid) {
  const auto index = [&](int x, int y, int z) {
    const VoxelIndex to = symmetry.voxel(g, {x, y, z});
    return (std::int64_t{to.z} * grid.ny + to.y) * grid.nx + to.x;
  };
  const std::int64_t origin = index(0, 0, 0);
  return {origin, index(1, 0, 0) - origin, index(0, 1, 0) - origin, index(0, 0, 1) - origin};
}

/// Visits all voxels by cubes of 4 x 4 x 4 and within these by cubes of 2 x 2 x 2, so that voxels
/// with neighbouring numbers are neighbours in space.
template <class Visit>
void for_each_voxel_by_cubes(const VolumeGrid& grid, const Visit& visit) {
  const auto bits = [](int n, int at) { return (n >> at & 1) | (n >> (at + 2) & 2); };
  for (int z = 0; z < grid.nz; z += 4)
    for (int y = 0; y < grid.ny; y += 4)
      for (int x = 0; x < grid.nx; x += 4)
        for (int n = 0; n < 64; ++n) {
          const int ix = x + bits(n, 0), iy = y + bits(n, 1), iz = z + bits(n, 2);
          if (ix < grid.nx && iy < grid.ny && iz < grid.nz) visit(ix, iy, iz);
        }
}

[[noreturn]] void refuse_size() {
  throw UsageError(
      "the data are too large for SCSR of a cone beam: at most 2^31 voxels, 2^28 orbits of voxels "
      "and 2^28 stored rays",
      "format", "compute the weights on the fly");
}

/// Blocks of stored views have a bit each in the arguments of a launch (BlockSet).
void require_few_stored_views(std::size_t views) {
  if (views > scsr::most_stored_views)
    throw UsageError("the symmetry of the scan leaves " + std::to_string(views) +
                         " views to be stored; SCSR of a cone beam takes at most " +
                         std::to_string(scsr::most_stored_views) + " on a GPU",
                     "format", "use fewer views, or compute the weights on the fly");
}

}  // namespace

ConeStoredViews::ConeStoredViews(const ScanSymmetry& symmetry, const ScanGeometry& geometry,
                                 const VolumeGrid& grid)
    : views(symmetry.stored_views()),
      mirrored(symmetry.holds({0, false, true})),
      image(8 * symmetry.stored_views().size(), device::StoredView{-1, 0, 0}) {
  if (grid.voxels() > std::numeric_limits<int>::max()) refuse_size();
  require_few_stored_views(views.size());
  const int rows = geometry.rows(), columns = geometry.columns();
  rays = {static_cast<int>(views.size()), mirrored ? (rows + 1) / 2 : rows, columns, rows};
  const std::vector<SymmetryElement> plane = elements_in_plane(symmetry);
  in_plane = static_cast<int>(plane.size());
  for (std::size_t h = 0; h < plane.size(); ++h) {
    inverse[h] = static_cast<unsigned>(place_of(plane, gantry::inverse(plane[h])));
    for (std::size_t e = 0; e < plane.size(); ++e)
      times[h] |= static_cast<std::uint32_t>(place_of(plane, compose(plane[h], plane[e])))
                  << (4 * e);
  }
  for (std::size_t v = 0; v < symmetry.images().size(); ++v) {
    const ScanSymmetry::Image& made = symmetry.images()[v];
    const int stored = place_of(views, made.stored_view), element = place_of(plane, made.element);
    const int flip =
        columns > 1 && symmetry.ray(made.element, {made.stored_view, 0, 0}).column != 0 ? 1 : 0;
    image[static_cast<std::size_t>(8 * stored + element)] = {static_cast<int>(v), element, flip};
  }
  std::vector<VoxelMap> maps;
  for (SymmetryElement g : plane)
    for (int m = 0; m < (mirrored ? 2 : 1); ++m) {
      g.mirror_z = m == 1;
      maps.push_back(voxel_map(symmetry, g, grid));
    }
  constexpr std::uint32_t none = 0xFFFFFFFFU;
  code.assign(grid.voxels(), none);
  voxel.reserve(grid.voxels());
  for_each_voxel_by_cubes(grid, [&](int x, int y, int z) {
    if (code[static_cast<std::size_t>(maps[0].at(x, y, z))] != none) return;
    const std::int64_t orbit = orbits();
    for (std::size_t e = 0; e < maps.size(); ++e) {
      const auto at = static_cast<std::size_t>(maps[e].at(x, y, z));
      voxel.push_back(static_cast<int>(at));
      if (code[at] == none)
        code[at] = device::orbit_code(orbit, static_cast<unsigned>(mirrored ? e : 2 * e));
      else
        has_fixed_voxels = true;
    }
  });
  if (orbits() >= device::most_places || rays.count() >= device::most_places) refuse_size();
}

}  // namespace gantry
