#pragma once

// The stored stored views of a symmetric scan (Yu et al., J. Signal Process. Syst. 91 (2019) 321):
// rows of one view of each orbit, which stand for up to 8 views at once. A product is one pass over
// the stored views with a right-hand side for each element g of the symmetry:
//   X[j, g] = x[g j],  Y = W X,  y[g r] = Y[r, g],      Y[r, g] = y[g r],  Z = W^T Y,
//   x[g j] += Z[j, g].
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// The image of pixel (x, y) under an element: pixels have whole-number maps without bends.
struct PixelMap {
  int origin, per_x, per_y;
  GANTRY_HD int at(int x, int y) const { return origin + per_x * x + per_y * y; }
};

/// The view that an element makes of a stored one, -1 where another element has made it, or the
/// stored view and the element that make a view.
struct StoredView {
  int view, element, flip;  ///< flip: columns are reversed
};
GANTRY_HD int flipped(int column, int columns, int flip) {
  return flip ? columns - 1 - column : column;
}

/// Which views take part in a product.
struct StoredViewSubset {
  int first, stride, count;
  GANTRY_HD bool has(int view) const {
    const int steps = (view - first) / stride;
    return view >= first && (view - first) % stride == 0 && steps < count;
  }
};

/// Square tiles of an image, whose pixels have places in shared memory: pitch is 3 (mod 8), so that
/// a ray, which meets some three pixels of each line, goes through the banks evenly.
struct TileGrid {
  int nx, ny, size, pitch, across, tiles;

  static GANTRY_HD TileGrid of(int nx, int ny, int size) {
    const int across = (nx + size - 1) / size, down = (ny + size - 1) / size;
    return {nx, ny, size, pitch_of(size), across, across * down};
  }
  GANTRY_HD int left(int tile) const { return tile % across * size; }
  GANTRY_HD int bottom(int tile) const { return tile / across * size; }
  GANTRY_HD int right(int tile) const { return least(left(tile) + size, nx) - 1; }
  GANTRY_HD int top(int tile) const { return least(bottom(tile) + size, ny) - 1; }
  GANTRY_HD int places() const { return size * pitch; }
  static constexpr GANTRY_HD int pitch_of(int size) { return size + (11 - size % 8) % 8; }
  static constexpr GANTRY_HD int places_of(int size) { return size * pitch_of(size); }
  /// A place that no pixel has, and all places with it.
  GANTRY_HD int spare_place() const { return places(); }
  GANTRY_HD int room() const { return places() + 1; }
  GANTRY_HD int place(int tile, int x, int y) const {
    return (y - bottom(tile)) * pitch + x - left(tile);
  }
};

/// Segments of a tile and view stand from its outer columns inwards, those of one side between
/// those of the other: so neighbours are about as long. Which place the nth column has, and back.
GANTRY_HD int folded(int nth, int count) {
  return nth < (count + 1) / 2 ? 2 * nth : 2 * (count - 1 - nth) + 1;
}
GANTRY_HD int unfolded(int place, int count) {
  return place % 2 == 0 ? place / 2 : count - 1 - place / 2;
}

/// Entries of a segment in each of 8 banks, up to 65535: shared memory gives 8 lanes 16 bytes each
/// at once where these lie in different ones.
struct BankCounts {
  std::uint64_t low = 0, high = 0;

  GANTRY_HD int of(int bank) const {
    return static_cast<int>((bank < 4 ? low : high) >> (16 * (bank % 4)) & 0xFFFFU);
  }
  GANTRY_HD void add(int bank) { (bank < 4 ? low : high) += std::uint64_t{1} << (16 * (bank % 4)); }
  /// Which turn the nth entry of a bank has when banks take turns, until none has any left.
  GANTRY_HD int turn(int bank, int nth) const {
    int before = 0;
    for (int other = 0; other < 8; ++other)
      before += least(of(other), nth + (other < bank ? 1 : 0));
    return before;
  }
};

/// Where a segment keeps what has a turn: 8 lanes read `vector` neighbours each, and what they have
/// first has the first turns, then what they have second.
GANTRY_HD int place_of_turn(int turn, int entries, int vector) {
  const int block = turn / (8 * vector) * (8 * vector),
            in_block = least(entries - block, 8 * vector), lanes = (in_block + vector - 1) / vector,
            nth = turn - block;
  // The last lane may have fewer, `full`: then one lane less takes part.
  const int full = in_block - vector * (lanes - 1);
  if (nth < full * lanes) return block + nth % lanes * vector + nth / lanes;
  const int rest = nth - full * lanes;
  return block + rest % (lanes - 1) * vector + full + rest / (lanes - 1);
}

/// The turns of a block's warps at the segments that a tile has of a view, which follow each other
/// by column: a colour's at once, those `colours` apart, which share no pixel when no pixel is seen
/// by more rays; then the next colour's.
struct ConflictSchedule {
  int segments, colours, warps, rounds;  ///< rounds: turns of a colour

  static GANTRY_HD ConflictSchedule of(int segments, int colours, int warps) {
    const int of_colour = (segments + colours - 1) / colours;
    return {segments, colours, warps, (of_colour + warps - 1) / warps};
  }
  GANTRY_HD int turns() const { return colours * rounds; }
  /// Which segment a warp takes; -1: none.
  GANTRY_HD int segment(int turn, int warp) const {
    const int nth = turn / rounds + colours * (turn % rounds * warps + warp);
    return nth < segments ? nth : -1;
  }
  /// Whether warps have to wait for each other after it.
  GANTRY_HD bool ends_colour(int turn) const { return turn % rounds == rounds - 1; }
};

/// Rows of a column as steps from one to the next, which go into 16 bits; entries of no weight fill
/// wider gaps. Begins at row 0. An entry may have several weights.
constexpr int widest_step = 65535;
template <class Put>
struct StepEncoder {
  const Put& put;  ///< put(step, weights...)
  int row = 0;

  template <class... Weights>
  GANTRY_HD void operator()(int next, Weights... weights) {
    for (; next - row > widest_step; row += widest_step) put(widest_step, Weights{}...);
    put(next - row, weights...);
    row = next;
  }
};

}  // namespace gantry::device
