#pragma once

// The stored stored views in cuART's dense sub-matrices (Yu et al., J. Signal Process. Syst. 91
// (2019) 321, sections 4.2.1 and 4.2.2), column after column: a thread for each dense row, which
// holds pieces of one stored row or several. The paper's transpose adds to pixels without any
// protection, on the strength of all threads keeping step, which they do not: here both products
// add by atomics, unless the paper's way is asked for.
#include "gpu/matrix/scsr/scsr_copies.cuh"

#include <cstdint>

namespace gantry::device {

/// A sub-matrix: place j of row r is at offset + j rows + r.
struct DenseShape {
  std::int64_t offset, first_row;  ///< first_row: of it, counted through all sub-matrices
  int rows;
};
/// Rows that a block of 256 threads has.
struct DenseChunk {
  int shape, first;
};
/// Places up to `behind` of a dense row are of stored row `owner`, or of none: -1.
struct DensePlaces {
  int behind, owner;
};

struct DenseStoredViews {
  const DenseShape* shape;
  const DenseChunk* chunk;
  const std::int64_t* start;  ///< [row] in `places`; and the end
  const DensePlaces* places;
  const float* weight;
  const int* column;
};

/// Calls begin(owner), visit(column, weight) for each entry and end(owner) for each piece of the
/// thread's row.
template <class Begin, class Visit, class End>
__device__ void walk_dense_row(const DenseStoredViews& stored, const Begin& begin,
                               const Visit& visit, const End& end) {
  const DenseChunk chunk = stored.chunk[blockIdx.x];
  const DenseShape shape = stored.shape[chunk.shape];
  const int row = chunk.first + static_cast<int>(threadIdx.x);
  if (row >= shape.rows) return;
  int j = 0;
  for (std::int64_t k = stored.start[shape.first_row + row];
       k < stored.start[shape.first_row + row + 1]; ++k) {
    const DensePlaces places = stored.places[k];
    if (places.owner < 0) {
      j = places.behind;
      continue;
    }
    begin(places.owner);
    for (; j < places.behind; ++j) {
      const std::int64_t at = shape.offset + std::int64_t{j} * shape.rows + row;
      visit(__ldcs(stored.column + at), __ldcs(stored.weight + at));
    }
    end(places.owner);
  }
}

/// Y[r, g] += w X[j, g] of all rows. Blocks of 256, one for each chunk.
template <int Count>
__global__ void __launch_bounds__(256)
    dense_forward(DenseStoredViews stored, std::size_t pixels, const float4* __restrict__ image,
                  float* __restrict__ rays) {
  float sums[Count];
  walk_dense_row(
      stored,
      [&](int) {
#pragma unroll
        for (int g = 0; g < Count; ++g) sums[g] = 0;
      },
      [&](int column, float weight) {
        add_copies<false>(weight, image, pixels, static_cast<std::size_t>(column), sums);
      },
      [&](int owner) { add_values<Count>(rays + static_cast<std::size_t>(owner) * Count, sums); });
}

/// Z[j, g] += w Y[r, g] of all rows; without Safe as cuART does, which races. Blocks of 256, one
/// for each chunk.
template <int Count, bool Safe>
__global__ void __launch_bounds__(256)
    dense_spread(DenseStoredViews stored, std::size_t rays, const float4* __restrict__ values,
                 float* __restrict__ z) {
  float value[Count];
  walk_dense_row(
      stored,
      [&](int owner) {
#pragma unroll
        for (int g = 0; g < Count; ++g) value[g] = 0;
        add_copies<false>(1.0F, values, rays, static_cast<std::size_t>(owner), value);
      },
      [&](int column, float weight) {
        float part[Count];
#pragma unroll
        for (int g = 0; g < Count; ++g) part[g] = weight * value[g];
        add_values<Count, Safe>(z + static_cast<std::size_t>(column) * Count, part);
      },
      [](int) {});
}

/// y[g r] = Y[r, g] in the views of the subset. Blocks of 256, a thread for each ray and element.
template <int Count>
__global__ void __launch_bounds__(256)
    place_rays(StoredViewMaps maps, const float* __restrict__ rays, StoredViewSubset subset,
               float* __restrict__ y) {
  const std::int64_t i = blockIdx.x * std::int64_t{256} + threadIdx.x, row = i / Count;
  const int g = static_cast<int>(i % Count);
  if (row >= std::int64_t{maps.views} * maps.columns) return;
  const StoredView to = maps.image[row / maps.columns * 8 + g];
  if (to.view < 0 || !subset.has(to.view)) return;
  const int c = static_cast<int>(row % maps.columns);
  y[static_cast<std::size_t>(to.view) * maps.columns + flipped(c, maps.columns, to.flip)] = rays[i];
}

}  // namespace gantry::device
