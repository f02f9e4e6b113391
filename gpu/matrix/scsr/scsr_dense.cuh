#pragma once

// The stored views in cuART's dense sub-matrices (Yu et al., J. Signal Process. Syst. 91 (2019)
// 321, sections 4.2.1 and 4.2.2). A dense row holds pieces of the matrix rows of one stored ray or
// of several, its owners. The paper's backprojection adds to pixels without any protection, because
// it relies on all threads running in step, which they do not. Here both products add by atomics;
// the paper's unprotected backprojection can be chosen for comparison (Safe = false).
//
//   dense_forward, dense_spread: a block of 256 threads for each chunk, 256 rows of a sub-matrix; a
//   thread for each dense row
//
//                   slot 0   slot 1   slot 2   slot 3    ...
//     thread 0     [ a        a        a        b             ]   a, b, c: owners
//     thread 1     [ c        c        padding  b             ]
//     ...            |
//     thread 255   [ |                                        ]
//                    the 256 entries of a slot are neighbours in memory
//
//   place_rays: a thread for each stored ray and element, 256 in a block
#include "gpu/matrix/scsr/scsr_copies.cuh"

#include <cstdint>

namespace gantry::device {

/// A sub-matrix: slot j of dense row r lies at offset + j * rows + r.
struct DenseShape {
  std::int64_t offset, first_row;  ///< first_row: number of its row 0, through all sub-matrices
  int rows;
};
/// The dense rows of a thread block: rows first .. first + 255 of a sub-matrix.
struct DenseChunk {
  int shape, first;
};
/// A region of a dense row: slots up to, without, `behind` belong to stored ray `owner`, or are
/// padding: -1.
struct DensePlaces {
  int behind, owner;
};

/// All sub-matrices.
struct DenseStoredViews {
  const DenseShape* shape;    ///< [sub-matrix]
  const DenseChunk* chunk;    ///< [thread block]
  const std::int64_t* start;  ///< [dense row] first region in `places`; and the end
  const DensePlaces* places;
  const float* weight;
  const int* column;
};

/// For each piece of the thread's dense row, calls begin(owner), visit(pixel, weight) for each
/// entry, and end(owner).
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

/// Adds w X[j, g] to Y[r, g] for all entries.
template <int Count>
__global__ void __launch_bounds__(usual_threads)
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

/// Adds w Y[r, g] to Z[j, g] for all entries. Without Safe, additions race, as cuART's do.
template <int Count, bool Safe>
__global__ void __launch_bounds__(usual_threads)
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

/// Computes y[g r] = Y[r, g] for the views of the subset.
template <int Count>
__global__ void __launch_bounds__(usual_threads)
    place_rays(StoredViewMaps maps, const float* __restrict__ rays, StoredViewSubset subset,
               float* __restrict__ y) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x, row = i / Count;
  const int g = static_cast<int>(i % Count);
  if (row >= std::int64_t{maps.views} * maps.columns) return;
  const StoredView to = maps.image[row / maps.columns * 8 + g];
  if (to.view < 0 || !subset.has(to.view)) return;
  const int c = static_cast<int>(row % maps.columns);
  y[static_cast<std::size_t>(to.view) * maps.columns + flipped(c, maps.columns, to.flip)] = rays[i];
}

}  // namespace gantry::device
