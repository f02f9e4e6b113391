#pragma once

// How a thread block reads the segments of a tile: the 8 lanes of an octet read one segment
// together, meet its pixels in different banks of shared memory, and add their sums when the
// segment ends.
//
//   OctetStream, a warp: 4 octets with a segment each, `vector` entries in a lane at a time
//
//                   lane 0 .. 7              8 .. 15         16 .. 23        24 .. 31
//     segments      s                        s + 1           s + 2           s + 3
//     chunk 0       [ v v v v v v v v ]...   [ v v ... ]...  [ v v ... ]...  [ v v ... ]...
//     chunk 1       [ v v v v - - - - ]      [ ...           [ -             [ v v ...
//
//     A chunk has `turns` vectors of each lane. The octets begin their next segments together, when
//     the longest of the four segments has ended.
#include "gpu/device/copies.cuh"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/scsr/scsr_tiles.cuh"
#include "gpu/matrix/scsr/tuning.hpp"

namespace gantry::device {

/// Slots of a tile, with the spare one.
template <bool Half>
constexpr std::size_t tile_slots =
    static_cast<std::size_t>(TileGrid::slots_of(scsr::tile_size<Half>)) + 1;

/// Copies the pixels of a tile to their slots in shared memory, by a block of `Threads`; the spare
/// slot becomes 0.
template <int Count, bool Half, int Threads>
__device__ void load_tile_pixels(const TileGrid& grid, int tile,
                                 const typename Copies<Count, Half>::Word* __restrict__ image,
                                 typename Copies<Count, Half>::Word* pixels) {
  using Values = Copies<Count, Half>;
  constexpr std::size_t places = tile_slots<Half>;
  const std::size_t all = static_cast<std::size_t>(grid.nx) * grid.ny;
  for (int i = threadIdx.x; i < grid.size * grid.size; i += Threads) {
    const int x = grid.left(tile) + i % grid.size, y = grid.bottom(tile) + i / grid.size;
    if (x >= grid.nx || y >= grid.ny) continue;
    const std::size_t from = static_cast<std::size_t>(y) * grid.nx + x;
    const int to = grid.place(tile, x, y);
#pragma unroll
    for (int k = 0; k < Values::planes; ++k) pixels[k * places + to] = image[k * all + from];
  }
  if (threadIdx.x < Values::planes)
    pixels[threadIdx.x * places + grid.spare_slot()] = typename Values::Word{};
}

/// The entries of segments first, first + step, ..., below `last`, as an octet reads them. Each
/// octet of a warp has segments of its own; all four begin and end their segments with the same
/// chunk.
template <bool Half>
class OctetStream {
  using Entries = TileEntries<Half>;
  static constexpr int per_turn = 8 * Entries::vector, turns = Half ? 3 : 2;

 public:
  /// The entries that a lane reads at once.
  struct Chunk {
    typename Entries::Vector entries[turns];
    int left;   ///< entries of the segment from the lane's first one to the end
    bool ends;  ///< whether the warp's segments end with this chunk

    template <class Use>
    __device__ void each(const Use& use) const {
#pragma unroll
      for (int k = 0; k < turns; ++k)
        if (left > k * per_turn) entries[k].each(use);
    }
  };

  __device__ OctetStream(const StoredTiles& stored, const Entries& entries, unsigned first,
                         unsigned last, int step)
      : stored_(stored), entries_(entries), next_(first), last_(last), step_(step) {
    find();
    enter();
  }

  __device__ void read(Chunk& chunk) {
#pragma unroll
    for (int k = 0; k < turns; ++k)
      if (left_ > k * per_turn) chunk.entries[k] = cursor_.stream(8 * k);
    chunk.left = left_;
    cursor_.advance(8 * turns);
    left_ -= turns * per_turn;
    longest_ -= turns * per_turn;
    chunk.ends = longest_ <= 0;
    if (chunk.ends) enter();
  }

 private:
  /// Looks up the segment after the current one.
  __device__ void find() {
    next_length_ = 0;
    if (next_ < last_) {
      next_vector_ = stored_.start[next_];
      next_length_ = stored_.length_of[next_];
    }
    next_ += step_;
  }
  __device__ void enter() {
    const int lane = lane_of_warp() % 8;
    cursor_ = entries_.cursor(std::int64_t{next_vector_} + lane);
    left_ = next_length_ - lane * Entries::vector;
    longest_ = next_length_;
#pragma unroll
    for (int octets = 8; octets < 32; octets *= 2)
      longest_ = max(longest_, __shfl_xor_sync(whole_warp, longest_, octets));
    find();
  }

  const StoredTiles& stored_;
  const Entries& entries_;
  unsigned next_, last_;
  typename Entries::Cursor cursor_;
  int step_, left_ = 0, longest_ = 0, next_length_ = 0;
  std::uint32_t next_vector_ = 0;
};

}  // namespace gantry::device
