#pragma once

// W in tiles of 8 rays x 16 pixels for Tensor Cores (core/matrix/tiles/tile_pattern.hpp), in halves
// of weight / unit, and the operands of the products in the order in which the lanes of a warp hold
// fragments.
#include "gpu/device/host_device.hpp"

#include <cstdint>
#include <vector_types.h>

namespace gantry::device {

constexpr int tile_rays = 8, patch_pixels = 16, group_tiles = 4, group_rays = 32;
constexpr unsigned patch_mask = (1U << 28U) - 1;
/// Number of slices in a fragment.
constexpr int slice_tile = 16;

/// The part of a tile [ray][pixel] that one lane holds: lane 4 g + t has pixels 4 t .. 4 t + 3 of
/// ray g.
struct TileWeights {
  unsigned low, high;
};

/// The tiles, indexed by groups of rays and by patches of pixels.
struct TileIndex {
  const TileWeights* tile;          ///< [tile][lane]
  const std::int64_t* group_start;  ///< index into entry; groups + 1
  const unsigned* group_tile;       ///< [group] its first tile
  const unsigned* entry;            ///< patch in bits 0 .. 27; bits 28 .. 31: stored tiles
  const std::int64_t* patch_start;  ///< index into patch_entry; patches + 1
  const uint2* patch_entry;         ///< group and tile bits, as in entry; the first tile
  const int* ray_at;                ///< [32 group + i] view * cells + column, or -1
  const int* pixel_at;              ///< [16 patch + i] pixel, or -1
  int groups, patches;
};

/// Layout of the slices in vectors: rays [view][slice][cell], images [slice][pixel].
struct SliceLayout {
  int slices, cells;
  std::int64_t pixels;

  GANTRY_HD std::int64_t ray(int at, int slice) const {
    return (std::int64_t{at / cells} * slices + slice) * cells + at % cells;
  }
  GANTRY_HD std::int64_t pixel(int at, int slice) const { return slice * pixels + at; }
};

// Layout of the operands, for `tiles` slice tiles (of all parts) and lane 4 g + t:
//   pixels  [patch][tile][lane]: pixels 4 t, 4 t + 1 of slices g and g + 8, then 4 t + 2, 4 t + 3,
//           16 bytes
//   rays    [tile of rays][tile][lane]: rays 2 t, 2 t + 1 of slices g and g + 8, 8 bytes
// The pixels of a fragment may be in any order, provided that the weights have the same order.

/// Returns the power of two by which a vector with this largest magnitude is multiplied before its
/// conversion to halves: the magnitude becomes 2^14 .. 2^15, so that values smaller by a factor of
/// 2^28 are still normal halves. Unscaled, A^T b of a usual scan exceeds the largest half, 65504.
GANTRY_HD float half_scale(float largest) {
  if (!(largest > 0)) return 1;
  int exponent = 0;
  frexpf(largest, &exponent);
  const int up = 15 - exponent;
  return ldexpf(1.0F, up < 100 ? up : 100);
}

}  // namespace gantry::device
