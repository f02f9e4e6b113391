#pragma once

// How a block reads a part of a tile: 8 lanes for each segment, who find their pixels in different
// banks, and sum up among themselves when it ends.
#include "gpu/kernels/copies.cuh"
#include "gpu/kernels/warp.cuh"
#include "gpu/kernels/zone_tiles.cuh"

namespace gantry::device {

/// A tile's pixels with the spare place, in shared memory.
GANTRY_HD std::size_t tile_places(const TileGrid& grid) {
  return static_cast<std::size_t>(grid.places()) + 1;
}

/// Copies them there, by a block of `Threads`; the spare place gets 0.
template <int Count, bool Half, int Threads>
__device__ void take_tile(const TileGrid& grid, int tile,
                          const typename Copies<Count, Half>::Word* __restrict__ image,
                          typename Copies<Count, Half>::Word* pixels) {
  using Values = Copies<Count, Half>;
  const std::size_t places = tile_places(grid), all = static_cast<std::size_t>(grid.nx) * grid.ny;
  for (int i = threadIdx.x; i < grid.size * grid.size; i += Threads) {
    const int x = grid.left(tile) + i % grid.size, y = grid.bottom(tile) + i / grid.size;
    if (x >= grid.nx || y >= grid.ny) continue;
    const std::size_t from = static_cast<std::size_t>(y) * grid.nx + x;
    const int to = grid.place(tile, x, y);
#pragma unroll
    for (int k = 0; k < Values::planes; ++k) pixels[k * places + to] = image[k * all + from];
  }
  if (threadIdx.x < Values::planes)
    pixels[threadIdx.x * places + grid.spare_place()] = typename Values::Word{};
}

/// The entries of segments first, first + step, ... below `last`, of which each octet of a warp has
/// its own; a warp's go on together, so that all end theirs with the same turn.
template <bool Half>
class OctetStream {
  using Entries = TileEntries<Half>;
  static constexpr int per_turn = 8 * Entries::vector;

 public:
  /// Turns that are under way while one is added.
  static constexpr int depth = Half ? 3 : 2;
  struct Turn {
    typename Entries::Vector entries;
    bool ends;  ///< of the segments
  };

  __device__ OctetStream(const ZoneTiles& zone, const Entries& entries, std::int64_t first,
                         std::int64_t last, int step)
      : zone_(zone), entries_(entries), next_(first), last_(last), step_(step) {
    find();
    enter();
  }

  __device__ Turn read() {
    Turn turn{Entries::Vector::all_at(zone_.grid.spare_place()), --turns_ == 0};
    if (left_ > 0) turn.entries = entries_.stream_vector(vector_);
    vector_ += 8;
    left_ -= per_turn;
    if (turn.ends) enter();
    return turn;
  }

 private:
  /// Looks up the segment after this.
  __device__ void find() {
    next_length_ = 0;
    if (next_ < last_) {
      next_vector_ = zone_.start[next_];
      next_length_ = zone_.length_of[next_];
    }
    next_ += step_;
  }
  __device__ void enter() {
    const int lane = lane_of_warp() % 8;
    vector_ = std::int64_t{next_vector_} + lane;
    left_ = next_length_ - lane * Entries::vector;
    int longest = next_length_;
#pragma unroll
    for (int octets = 8; octets < 32; octets *= 2)
      longest = max(longest, __shfl_xor_sync(whole_warp, longest, octets));
    turns_ = max((longest + per_turn - 1) / per_turn, 1);
    find();
  }

  const ZoneTiles& zone_;
  const Entries& entries_;
  std::int64_t next_, last_, vector_ = 0;
  int step_, turns_ = 0, left_ = 0, next_length_ = 0;
  std::uint32_t next_vector_ = 0;
};

}  // namespace gantry::device
