#pragma once

// The stored zone by tiles of the image. What a row has in a tile is a segment; its entries name
// their pixel by its place in the tile, 16 bits, and find it in shared memory. Segments follow each
// other by tile, view and column, so that a block reads its part of the matrix in one stream.
#include "gpu/kernels/zone_model.hpp"

#include <cuda_fp16.h>

namespace gantry::device {

/// Entries: place and weight, with weights in half precision in one word, the place below.
template <bool Half>
struct TileEntries;
template <>
struct TileEntries<false> {
  std::uint16_t* place_of;
  float* weight_of;

  struct Entry {
    std::uint16_t stored_place;
    float stored_weight;
    __device__ int place() const { return stored_place; }
    __device__ float weight() const { return stored_weight; }
  };
  /// Read once: not to displace what is read often.
  __device__ Entry stream(std::int64_t at) const {
    return {__ldcs(place_of + at), __ldcs(weight_of + at)};
  }
  __device__ void put(std::int64_t at, int place, double weight) const {
    place_of[at] = static_cast<std::uint16_t>(place);
    weight_of[at] = static_cast<float>(weight);
  }
};
template <>
struct TileEntries<true> {
  std::uint32_t* word_of;

  struct Entry {
    std::uint32_t word;
    __device__ int place() const { return static_cast<int>(word & 0xFFFFU); }
    __device__ float weight() const {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(word >> 16U)));
    }
  };
  __device__ Entry stream(std::int64_t at) const { return {__ldcs(word_of + at)}; }
  __device__ void put(std::int64_t at, int place, double weight) const {
    const std::uint32_t half = __half_as_ushort(__float2half_rn(static_cast<float>(weight)));
    word_of[at] = static_cast<std::uint32_t>(place) | half << 16U;
  }
};

struct ZoneTiles {
  TileGrid grid;
  int columns, views;               ///< of the stored views
  const std::int64_t* first;        ///< segment, [tile][view], and the end
  const int* first_column;          ///< [tile][view]
  const std::int64_t* start;        ///< entry, [segment], and the end
  const std::int64_t* row_start;    ///< place in segment_of, [view][column], and the end
  const std::uint32_t* segment_of;  ///< those of a row, ascending

  __device__ int tile_of(std::int64_t segment) const {
    int low = 0, high = grid.tiles;  // first[low] <= segment < first[high]
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (first[static_cast<std::int64_t>(middle) * views] <= segment ? low : high) = middle;
    }
    return low;
  }
};

}  // namespace gantry::device
