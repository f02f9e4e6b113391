#include "core/matrix/tiles/volume_orbits.hpp"

#include "core/matrix/tiles/tile_pattern.hpp"

#include <algorithm>

namespace gantry {

namespace {

/// Returns the offset in its patch of the image of a voxel under the inverse of an element.
std::int32_t pixel_of_image(const TileSymmetry& symmetry, int e, std::size_t position) {
  const BlockOrder& order = symmetry.pixels().order;
  const std::int32_t from = symmetry.pixel(symmetry.inverse(e), order.at[position]);
  return order.position[static_cast<std::size_t>(from)] % patch_pixels;
}

}  // namespace

bool have_orbits(const VolumeGrid& grid, BlockOrderKind kind) {
  constexpr int side = 4;
  static_assert(side * side == patch_pixels);
  return kind != BlockOrderKind::natural && grid.nx % side == 0 && grid.ny % side == 0;
}

VolumeOrbits volume_orbits(const TileSymmetry& symmetry) {
  const std::vector<std::int32_t>& at = symmetry.pixels().order.at;
  const int elements = symmetry.elements(), slot_count = elements > 8 ? 16 : 8;
  VolumeOrbits orbits{slot_count, {}, {}, {}};
  std::vector<char> met(at.size() / patch_pixels, 0);
  for (std::size_t patch = 0; patch < met.size(); ++patch) {
    const auto first = at.begin() + static_cast<std::ptrdiff_t>(patch * patch_pixels);
    if (met[patch] != 0 ||
        std::all_of(first, first + patch_pixels, [](std::int32_t j) { return j < 0; }))
      continue;
    for (int k = 0; k < slot_count; ++k) {
      const std::int32_t image = k < elements ? symmetry.patch_image(k, patch) : -1;
      if (k < elements && image < 0) return {};
      if (image >= 0) met[static_cast<std::size_t>(image)] = 1;
      orbits.patch.push_back(image);
    }
  }
  for (int e = 0; e < elements; ++e) {
    for (int k = 0; k < slot_count; ++k) {
      int slot = 0;
      const SymmetryElement from = k < elements
                                       ? compose(inverse(symmetry.element(e)), symmetry.element(k))
                                       : SymmetryElement{};
      while (!(symmetry.element(slot) == from)) ++slot;
      orbits.slot.push_back(static_cast<std::uint8_t>(slot));
    }
    const auto some = static_cast<std::size_t>(
        std::ranges::find_if(at, [](std::int32_t j) { return j >= 0; }) - at.begin());
    for (std::size_t pixel = 0; pixel < patch_pixels; ++pixel)
      orbits.pixel.push_back(static_cast<std::uint8_t>(
          pixel_of_image(symmetry, e, some / patch_pixels * patch_pixels + pixel)));
    for (std::size_t position = 0; position < at.size(); ++position)
      if (at[position] >= 0 &&
          pixel_of_image(symmetry, e, position) !=
              orbits.pixel[static_cast<std::size_t>(e * patch_pixels) + position % patch_pixels])
        return {};
  }
  return orbits;
}

}  // namespace gantry
