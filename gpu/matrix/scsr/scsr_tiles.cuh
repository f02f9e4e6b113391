#pragma once

// The stored stored views by tiles of the image. What a row has in a tile is a segment; its entries
// name their pixel by its place in the tile, 16 bits, and find it in shared memory. Segments follow
// each other by tile, view and column (folded), so that a block reads its part of the matrix in one
// stream. They begin at whole vectors, entries that a lane reads at once; within a segment the
// banks of shared memory take turns (place_of_turn).
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <cuda_fp16.h>

namespace gantry::device {

/// Entries: place and weight, with weights in half precision in one word, the place below.
template <bool Half>
struct TileEntries;
template <>
struct TileEntries<false> {
  static constexpr int vector = 4;
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

  struct Vector {
    static constexpr int count = vector;
    uint2 places;  ///< two in a word
    float4 weights;

    template <class Use>
    __device__ void each(const Use& use) const {
      use(static_cast<int>(places.x & 0xFFFFU), weights.x);
      use(static_cast<int>(places.x >> 16U), weights.y);
      use(static_cast<int>(places.y & 0xFFFFU), weights.z);
      use(static_cast<int>(places.y >> 16U), weights.w);
    }
  };
  /// Goes through vectors.
  struct Cursor {
    const uint2* places;
    const float4* weights;
    __device__ Vector stream(int ahead) const {
      return {__ldcs(places + ahead), __ldcs(weights + ahead)};
    }
    __device__ void advance(int by) {
      places += by;
      weights += by;
    }
  };
  __device__ Cursor cursor(std::int64_t nth) const {
    return {reinterpret_cast<const uint2*>(place_of) + nth,
            reinterpret_cast<const float4*>(weight_of) + nth};
  }
  __device__ void put(std::int64_t at, int place, double weight) const {
    place_of[at] = static_cast<std::uint16_t>(place);
    weight_of[at] = static_cast<float>(weight);
  }
};
template <>
struct TileEntries<true> {
  static constexpr int vector = 2;
  std::uint32_t* word_of;

  struct Entry {
    std::uint32_t word;
    __device__ int place() const { return static_cast<int>(word & 0xFFFFU); }
    __device__ float weight() const {
      return __half2float(__ushort_as_half(static_cast<unsigned short>(word >> 16U)));
    }
  };
  __device__ Entry stream(std::int64_t at) const { return {__ldcs(word_of + at)}; }

  struct Vector {
    static constexpr int count = vector;
    uint2 words;

    template <class Use>
    __device__ void each(const Use& use) const {
      use(Entry{words.x}.place(), Entry{words.x}.weight());
      use(Entry{words.y}.place(), Entry{words.y}.weight());
    }
  };
  struct Cursor {
    const uint2* words;
    __device__ Vector stream(int ahead) const { return {__ldcs(words + ahead)}; }
    __device__ void advance(int by) { words += by; }
  };
  __device__ Cursor cursor(std::int64_t nth) const {
    return {reinterpret_cast<const uint2*>(word_of) + nth};
  }
  __device__ void put(std::int64_t at, int place, double weight) const {
    const std::uint32_t half = __half_as_ushort(__float2half_rn(static_cast<float>(weight)));
    word_of[at] = static_cast<std::uint32_t>(place) | half << 16U;
  }
};

/// Pixels along a tile: the fastest of 32 .. 80 on an H200.
template <bool Half>
constexpr int tile_size = Half ? 64 : 56;

struct StoredTiles {
  TileGrid grid;
  int columns, views;               ///< of the stored views
  const std::int64_t* first;        ///< segment, [tile][view], and the end
  const int* first_column;          ///< [tile][view]
  const std::uint32_t* start;       ///< vector, [segment], and the end
  const std::uint16_t* length_of;   ///< entries, [segment]
  const std::int64_t* row_start;    ///< place in segment_of, [view][column], and the end
  const std::uint32_t* segment_of;  ///< those of a row, ascending
  int vector;                       ///< entries

  __device__ std::int64_t segments() const { return first[std::int64_t{grid.tiles} * views]; }
  /// Of a segment of tile and view `at`.
  __device__ int column(std::int64_t at, std::int64_t segment) const {
    return first_column[at] + unfolded(static_cast<int>(segment - first[at]),
                                       static_cast<int>(first[at + 1] - first[at]));
  }
  __device__ std::int64_t begin(std::int64_t segment) const {
    return std::int64_t{start[segment]} * vector;
  }
  __device__ int length(std::int64_t segment) const { return length_of[segment]; }

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
