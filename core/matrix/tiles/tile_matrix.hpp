#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// W of one slice, or of a cone beam, in tiles (tile_pattern.hpp), indexed by groups of rays and by
/// patches of pixels.
template <class Weight>
struct TileMatrix {
  BlockOrder rays, pixels;
  std::vector<std::uint64_t> group_start;  ///< of entries; groups + 1
  std::vector<std::uint32_t> entry;        ///< tile_entry, ascending in a group
  std::vector<std::uint32_t> first_tile;   ///< [entry]; its tiles stand behind each other
  std::vector<Weight> weight;              ///< [tile][ray][pixel]
  std::vector<std::uint64_t> patch_start;  ///< of patch_entry; patches + 1
  std::vector<std::uint32_t> patch_entry;  ///< entries of a patch, in order of groups
  std::vector<std::uint32_t> group_of;     ///< [entry]
  std::uint64_t nonzeros = 0;

  std::size_t groups() const { return rays.at.size() / group_rays; }
  std::size_t patches() const { return pixels.at.size() / patch_pixels; }
  std::size_t tiles() const { return weight.size() / tile_weights; }
};

/// Of the rays and pixels that stand in an order, in float, or as halves of weight / unit, unit the
/// power of two from `weight_unit` on. Throws Interrupted and OutOfMemory.
template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrder rays, BlockOrder pixels,
                               int block_rays);
/// All rays and pixels of one slice.
template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrderKind order, int block_rays);

/// Those that have a ray in the order, ascending.
std::vector<int> views_of(const BlockOrder& rays, const ScanGeometry& geometry);
/// So many of the detector's rows, from the first on, have one.
int rows_of(const BlockOrder& rays, const ScanGeometry& geometry);

/// A power of two not below any common weight of a grid, for halves to hold shares of it: a pixel's
/// diagonal, or 1 where weights are shares.
double weight_unit(const Projector& slice);

}  // namespace gantry
