#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/tile_pattern.hpp"

#include <cstdint>
#include <vector>

namespace gantry {

/// W of one slice, or of a cone beam, in tiles (tile_pattern.hpp). An entry is a pair of a group of
/// 32 rays and a patch of 16 pixels with its stored tiles; the entries are indexed by groups and by
/// patches.
template <class Weight>
struct TileMatrix {
  BlockOrder rays, pixels;
  std::vector<std::uint64_t> group_start;  ///< first entry of each group, groups + 1 values
  std::vector<std::uint32_t> entry;        ///< tile_entry(), ascending in a group
  std::vector<std::uint32_t> first_tile;   ///< [entry]: the tiles of an entry are consecutive
  std::vector<Weight> weight;              ///< [tile][ray][pixel]
  std::vector<std::uint64_t> patch_start;  ///< first of each patch in patch_entry, patches + 1
  std::vector<std::uint32_t> patch_entry;  ///< the entries of each patch, by ascending group
  std::vector<std::uint32_t> group_of;     ///< [entry]: group
  std::uint64_t nonzeros = 0;              ///< among the stored weights

  std::size_t groups() const { return rays.at.size() / group_rays; }
  std::size_t patches() const { return pixels.at.size() / patch_pixels; }
  std::size_t tiles() const { return weight.size() / tile_weights; }
};

/// Builds the matrix of the rays and pixels that have a position in the orders, in blocks of
/// `block_rays` rays (8, 16 or 32). The weights are floats, or halves (std::uint16_t) of weight /
/// weight_unit(). Throws UsageError from 2^32 tiles on, Interrupted and OutOfMemory.
template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrder rays, BlockOrder pixels,
                               int block_rays);
/// Builds the matrix of all rays and pixels of one slice.
template <class Weight>
TileMatrix<Weight> build_tiles(const Projector& slice, BlockOrderKind order, int block_rays);

/// Returns the views that have a ray in the order, ascending.
std::vector<int> views_of(const BlockOrder& rays, const ScanGeometry& geometry);
/// Returns 1 + the largest detector row that has a ray in the order.
int rows_of(const BlockOrder& rays, const ScanGeometry& geometry);

/// Returns the unit of weights in half precision: the least power of two that is not below the
/// diagonal of a pixel, mm, or 1 for projectors whose weights are fractions of a pixel's area.
double weight_unit(const Projector& slice);

}  // namespace gantry
