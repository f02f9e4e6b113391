#pragma once

// The stored views by tiles of the image. The entries of a stored ray in a tile are a segment. An
// entry names its pixel by the slot (16 bits) that the pixel has in shared memory. Segments are
// stored by tile, view and detector column (folded), so that a thread block reads its part of the
// matrix as one stream. A segment begins at a whole vector, the entries that a lane reads at once;
// within a segment, entries go through the banks of shared memory cyclically (position_of_read).
//
//   entries in memory; columns c .. c + n - 1 of view 0 see tile 0 (c is its first_column):
//
//     tile, view   0, 0                                         0, 1              1, 0
//     column       c           c + n - 1   c + 1       ...      c'        ...     c"        ...
//     segment      s           s + 1       s + 2                s + n
//     vectors      [ v v v v ] [ v v v v ] [ v v v ]            [ v v v ]         [ v v v ]
//
// A product of a single stored ray finds its segments by row_start and segment_of.
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <cuda_fp16.h>

namespace gantry::device {

/// The entries of all segments: slot and weight; with weights in half precision, both are in one
/// word, the slot in the lower half.
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
  /// Reads an entry with a hint that it is used once, so that the cache keeps other data.
  __device__ Entry stream(std::int64_t at) const {
    return {__ldcs(place_of + at), __ldcs(weight_of + at)};
  }

  struct Vector {
    static constexpr int count = vector;
    uint2 places;  ///< slots, two in a word
    float4 weights;

    template <class Use>
    __device__ void each(const Use& use) const {
      use(static_cast<int>(places.x & 0xFFFFU), weights.x);
      use(static_cast<int>(places.x >> 16U), weights.y);
      use(static_cast<int>(places.y & 0xFFFFU), weights.z);
      use(static_cast<int>(places.y >> 16U), weights.w);
    }
  };
  /// A position in the vectors.
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

/// The segments of the stored views.
struct StoredTiles {
  TileGrid grid;
  int columns, views;               ///< of the stored views
  const std::int64_t* first;        ///< [tile][view] first segment, and the end
  const int* first_column;          ///< [tile][view] first detector column that sees the tile
  const std::uint32_t* start;       ///< [segment] first vector, and the end
  const std::uint16_t* length_of;   ///< [segment] entries
  const std::int64_t* row_start;    ///< [view][column] first index in segment_of, and the end
  const std::uint32_t* segment_of;  ///< segments of each stored ray, ascending
  int vector;                       ///< entries of a vector

  __device__ std::int64_t segments() const { return first[std::int64_t{grid.tiles} * views]; }
  /// Returns the detector column of a segment; `at` is the index [tile][view].
  __device__ int column(std::int64_t at, std::int64_t segment) const {
    return first_column[at] + unfolded(static_cast<int>(segment - first[at]),
                                       static_cast<int>(first[at + 1] - first[at]));
  }
  /// Returns the index of a segment's first entry.
  __device__ std::int64_t begin(std::int64_t segment) const {
    return std::int64_t{start[segment]} * vector;
  }
  __device__ int length(std::int64_t segment) const { return length_of[segment]; }

  /// Returns the tile of a segment, by bisection.
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
