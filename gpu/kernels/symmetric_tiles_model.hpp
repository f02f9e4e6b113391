#pragma once

// A slice's rays and pixels under the elements of a symmetry (core/matrix/tile_symmetry.hpp), and
// how the operands of products with what is stored of W lie in memory.
#include "gpu/kernels/row_selection.hpp"
#include "gpu/kernels/tile_model.hpp"

namespace gantry::device {

constexpr int most_elements = 8;
/// Rows of an operand come in eights, half of what a fragment holds; row r is slice r / elements as
/// element r % elements sees it. With vectors of two parts an eight of each lies beside the other.
constexpr int eight = 8;

/// Where elements take pixels and rays. There are 2^shift of them. With twins a ray stands for the
/// one that runs back along it as well.
struct SymmetricImages {
  struct PixelMap {
    int origin, step_x, step_y;
  };
  PixelMap pixel_map[most_elements];
  int inverse[most_elements];
  const int* view_map;  ///< [element][view] twice the view, and 1 where columns are reversed
  int shift, views, cells, nx;
  bool twins, middle_has_twin;

  GANTRY_HD int elements() const { return 1 << shift; }
  GANTRY_HD int slice(int row) const { return row >> shift; }
  GANTRY_HD int element(int row) const { return row & (elements() - 1); }
  GANTRY_HD int pixel(int element, int at) const {
    const PixelMap& map = pixel_map[element];
    return map.origin + at % nx * map.step_x + at / nx * map.step_y;
  }
  GANTRY_HD int ray(int element, int at) const {
    const int to = view_map[element * views + at / cells], column = at % cells;
    return (to >> 1) * cells + ((to & 1) != 0 ? cells - 1 - column : column);
  }
  /// Or -1.
  GANTRY_HD int twin(int at) const {
    const int column = at % cells, view = at / cells;
    if (!twins || (!middle_has_twin && 2 * column == cells - 1)) return -1;
    return (view + (2 * view < views ? views / 2 : -views / 2)) * cells + cells - 1 - column;
  }
};

/// Pixels as a side of a product.
struct SymmetricPixels {
  SymmetricImages images;
  SliceLayout layout;
  const int* at;               ///< [position], or -1
  const unsigned char* owned;  ///< [position] bits of elements

  GANTRY_HD int image(int element, int index) const { return images.pixel(element, index); }
  GANTRY_HD int twin(int) const { return -1; }
  GANTRY_HD bool wanted(int) const { return true; }
  GANTRY_HD std::int64_t place(int index, int slice) const { return layout.pixel(index, slice); }
};

/// Rays, of which a product has those of some views.
struct SymmetricRays {
  SymmetricImages images;
  SliceLayout layout;
  const int* at;
  const unsigned char* owned;
  ViewRange views;

  GANTRY_HD int image(int element, int index) const { return images.ray(element, index); }
  GANTRY_HD int twin(int index) const { return images.twin(index); }
  GANTRY_HD bool wanted(int index) const { return index >= 0 && views.has(index); }
  GANTRY_HD std::int64_t place(int index, int slice) const { return layout.ray(index, slice); }
};

/// Patches that the elements take to each other, [orbit][8], distinct, -1 where there are fewer.
struct PatchOrbits {
  const int* patch;
  const int* position_of;  ///< [pixel]
  int count;
};

// Operands, of H eights of rows in all, a lane 4 g + t:
//   pixels  [patch][H / w][lane][w]: pixels 4 t .. 4 t + 3 of row g, 8 bytes; w = 2, or 1 if H is
//   rays    [tile of rays][H / w][lane][w]: rays 2 t, 2 t + 1 of row g, 4 bytes; w = 4 or H
GANTRY_HD constexpr int eights_together(int eights, int most) {
  return eights < most ? eights : most;
}
GANTRY_HD std::int64_t operand_word(std::int64_t item, int eights, int which, int lane, int most) {
  const int w = eights_together(eights, most);
  return ((item * (eights / w) + which / w) * 32 + lane) * w + which % w;
}

}  // namespace gantry::device
