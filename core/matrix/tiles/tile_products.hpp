#pragma once

#include "core/matrix/half.hpp"
#include "core/matrix/rows/row_block.hpp"
#include "core/matrix/tiles/tile_matrix.hpp"

namespace gantry {

inline float value_of_weight(float weight) { return weight; }
inline float value_of_weight(std::uint16_t half) { return from_half(half); }

/// Calls visit(weights of the tile, index of the tile in the group, 0 .. 3) for the stored tiles of
/// an entry.
template <class Weight, class Visit>
void visit_tiles(const TileMatrix<Weight>& m, std::size_t entry, const Visit& visit) {
  const Weight* tile = m.weight.data() + std::size_t{m.first_tile[entry]} * tile_weights;
  for (std::size_t t = 0; t < group_tiles; ++t)
    if ((tiles_of(m.entry[entry]) >> t & 1U) != 0) {
      visit(tile, t);
      tile += tile_weights;
    }
}

/// Adds the products W x of the rays of a group to 32 sums; `image` is indexed by position.
template <class Weight>
void add_group(const TileMatrix<Weight>& m, std::size_t group, const float* image, double* sums) {
  for (std::size_t e = m.group_start[group]; e < m.group_start[group + 1]; ++e) {
    const float* x = image + std::size_t{patch_of(m.entry[e])} * patch_pixels;
    visit_tiles(m, e, [&](const Weight* tile, std::size_t place) {
      for (std::size_t r = 0; r < tile_rays; ++r) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t p = 0; p < patch_pixels; ++p)
          sum += static_cast<double>(value_of_weight(tile[r * patch_pixels + p])) * x[p];
        sums[place * tile_rays + r] += sum;
      }
    });
  }
}

/// Adds the products W^T y of the pixels of a patch to 16 sums; `rays` is indexed by position.
template <class Weight>
void add_patch(const TileMatrix<Weight>& m, std::size_t patch, const float* rays, double* sums) {
  for (std::size_t k = m.patch_start[patch]; k < m.patch_start[patch + 1]; ++k) {
    const std::size_t e = m.patch_entry[k];
    const float* y = rays + std::size_t{m.group_of[e]} * group_rays;
    visit_tiles(m, e, [&](const Weight* tile, std::size_t place) {
      for (std::size_t r = 0; r < tile_rays; ++r) {
        const double ray = y[place * tile_rays + r];
#pragma omp simd
        for (std::size_t p = 0; p < patch_pixels; ++p)
          sums[p] += ray * value_of_weight(tile[r * patch_pixels + p]);
      }
    });
  }
}

/// Adds the arrays of a matrix to the parts of `all`.
template <class Weight>
void add_tile_parts(const TileMatrix<Weight>& m, MatrixStorage& all) {
  add_part(all, "weights", bytes_of(m.weight));
  add_part(all, "index by rays",
           bytes_of(m.entry) + bytes_of(m.group_start) + bytes_of(m.first_tile));
  add_part(all, "index by pixels",
           bytes_of(m.patch_entry) + bytes_of(m.patch_start) + bytes_of(m.group_of));
  add_part(all, "order of rays", bytes_of(m.rays.at) + bytes_of(m.rays.position));
  add_part(all, "order of pixels", bytes_of(m.pixels.at) + bytes_of(m.pixels.position));
}

}  // namespace gantry
