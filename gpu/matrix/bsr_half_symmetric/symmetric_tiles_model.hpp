#pragma once

// Rays and pixels of a slice under the elements of a symmetry
// (core/matrix/tiles/tile_symmetry.hpp), and the memory layout of the operands of products with the
// stored part of W.
#include "gpu/matrix/bsr_half/tile_model.hpp"
#include "gpu/matrix/rows/row_selection.hpp"

namespace gantry::device {

constexpr int most_elements = 8;
/// Operand rows come in eights, half of a fragment's 16 rows. Row r is slice r / elements as seen
/// by element r % elements. With vectors in two parts, the eights of both parts are adjacent.
constexpr int eight = 8;

GANTRY_HD int load_entry(const int* at) {
#ifdef __CUDA_ARCH__
  return __ldg(at);
#else
  return *at;
#endif
}

/// The maps of pixels and rays by the 2^shift elements. With opposite rays, a stored ray also
/// stands for the ray that runs back along it.
struct SymmetricImages {
  struct PixelMap {
    int origin, step_x, step_y;
  };
  PixelMap pixel_map[most_elements];
  int inverse[most_elements];
  const int* view_map;  ///< [element][view] 2 * view + (1: columns are reversed)
  int shift, views, cells, nx;
  bool opposites, middle_has_opposite;

  GANTRY_HD int elements() const { return 1 << shift; }
  GANTRY_HD int slice(int row) const { return row >> shift; }
  GANTRY_HD int element(int row) const { return row & (elements() - 1); }
};

/// Pixels as a side of a product: their positions, images and addresses.
struct SymmetricPixels {
  SymmetricImages images;
  SliceLayout layout;
  const int* at;               ///< [position] pixel, or -1
  const unsigned char* owned;  ///< [position] bits of the elements that it owns

  static constexpr bool of_pixels = true;
  struct Place {
    int x, y;
  };
  GANTRY_HD Place place(int index) const { return {index % images.nx, index / images.nx}; }
  GANTRY_HD int index(Place p) const { return p.y * images.nx + p.x; }
  /// Returns the image of a pixel under an element, as x = its index and y = 0: fit for index() and
  /// address(), but not for another image().
  GANTRY_HD Place image(int element, Place p) const {
    const SymmetricImages::PixelMap& map = images.pixel_map[element];
    return {map.origin + p.x * map.step_x + p.y * map.step_y, 0};
  }
  GANTRY_HD bool has_opposite(Place) const { return false; }
  GANTRY_HD Place opposite(Place p) const { return p; }
  GANTRY_HD bool wanted(Place) const { return true; }
  GANTRY_HD bool unseen(std::int64_t) const { return false; }
  GANTRY_HD std::int64_t address(Place p, int slice) const {
    return slice * layout.pixels + index(p);
  }
};

/// Rays as a side of a product, of which some views are wanted.
struct SymmetricRays {
  SymmetricImages images;
  SliceLayout layout;
  const int* at;
  const unsigned char* owned;
  ViewRange views;
  bool all_views;

  static constexpr bool of_pixels = false;
  struct Place {
    int view, column;
  };
  GANTRY_HD Place place(int index) const { return {index / images.cells, index % images.cells}; }
  GANTRY_HD int index(Place p) const { return p.view * images.cells + p.column; }
  GANTRY_HD Place image(int element, Place p) const {
    const int to = load_entry(images.view_map + element * images.views + p.view);
    return {to >> 1, (to & 1) != 0 ? images.cells - 1 - p.column : p.column};
  }
  GANTRY_HD bool has_opposite(Place p) const {
    return images.opposites && (images.middle_has_opposite || 2 * p.column != images.cells - 1);
  }
  GANTRY_HD Place opposite(Place p) const {
    return {p.view + (2 * p.view < images.views ? images.views / 2 : -images.views / 2),
            images.cells - 1 - p.column};
  }
  GANTRY_HD bool unseen(std::int64_t) const { return false; }
  GANTRY_HD bool wanted(Place p) const {
    return all_views || views.has(std::int64_t{p.view} * views.cells);
  }
  GANTRY_HD std::int64_t address(Place p, int slice) const {
    return (std::int64_t{p.view} * layout.slices + slice) * layout.cells + p.column;
  }
};

/// Orbits: patches that the elements map to each other, [orbit][8], all different, -1 where there
/// are fewer.
struct PatchOrbits {
  const int* patch;
  const int* position_of;  ///< [pixel] position
  int count;
};

// Layout of the operands, for H eights of rows in total and lane 4 g + t:
//   pixels  [patch][H / w][lane][w]: pixels 4 t .. 4 t + 3 of row g, 8 bytes; w = 2, or 1 if H = 1
//   rays    [tile of rays][H / w][lane][w]: rays 2 t, 2 t + 1 of row g, 4 bytes; w = min(H, 4)
GANTRY_HD constexpr int eights_together(int eights, int most) {
  return eights < most ? eights : most;
}
GANTRY_HD std::int64_t operand_word(std::int64_t item, int eights, int which, int lane, int most) {
  const int w = eights_together(eights, most);
  return ((item * (eights / w) + which / w) * 32 + lane) * w + which % w;
}

}  // namespace gantry::device
