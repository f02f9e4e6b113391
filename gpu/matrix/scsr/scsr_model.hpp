#pragma once

// The stored views of a symmetric planar scan (Yu et al., J. Signal Process. Syst. 91 (2019) 321):
// the matrix rows W of one view of each orbit are stored, and each of them stands for up to 8
// views. A product is one pass over W with a vector for each element g of the symmetry group, for
// pixels j and stored rays r:
//   forward          X[j, g] = x[g j],  Y = W X,    y[g r] = Y[r, g]
//   backprojection   Y[r, g] = y[g r],  Z = W^T Y,  x[g j] += Z[j, g]
#include "gpu/device/host_device.hpp"

#include <cstdint>

namespace gantry::device {

/// The index of the image of pixel (x, y) under an element. The map is affine in whole numbers.
struct PixelMap {
  int origin, per_x, per_y;
  GANTRY_HD int at(int x, int y) const { return origin + per_x * x + per_y * y; }
};

/// Either the view that an element makes of a stored view, -1 if another element has made that view
/// already; or the stored view and the element that make a view. See StoredViewMaps.
struct StoredView {
  int view, element, flip;  ///< flip: detector columns are reversed
};
/// Returns the detector column, reversed if `flip`.
GANTRY_HD int flipped(int column, int columns, int flip) {
  return flip ? columns - 1 - column : column;
}

/// The views that take part in a product: first, first + stride, ..., `count` of them.
struct StoredViewSubset {
  int first, stride, count;
  GANTRY_HD bool has(int view) const {
    const int steps = (view - first) / stride;
    return view >= first && (view - first) % stride == 0 && steps < count;
  }
};

/// The square tiles of an image, and the slots that the pixels of a tile have in shared memory. The
/// lines of a tile are `pitch` slots apart, which is 3 (mod 8): a ray meets some three pixels of
/// each line, so that its pixels are distributed evenly among the banks.
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
  static constexpr GANTRY_HD int slots_of(int size) { return size * pitch_of(size); }
  /// The spare slot belongs to no pixel; slots_with_spare() counts the slots with the spare one.
  GANTRY_HD int spare_slot() const { return places(); }
  GANTRY_HD int slots_with_spare() const { return places() + 1; }
  GANTRY_HD int place(int tile, int x, int y) const {
    return (y - bottom(tile)) * pitch + x - left(tile);
  }
};

/// The segments of a tile in a view are stored from the outer detector columns inwards, alternately
/// from either side, so that neighbouring segments have about the same length. folded() returns the
/// index of the segment of the n-th column, unfolded() the column of a segment; both are counted
/// within the tile and view.
GANTRY_HD int folded(int nth, int count) {
  return nth < (count + 1) / 2 ? 2 * nth : 2 * (count - 1 - nth) + 1;
}
GANTRY_HD int unfolded(int place, int count) {
  return place % 2 == 0 ? place / 2 : count - 1 - place / 2;
}

/// The number of a segment's entries in each of 8 banks of 16 bytes, up to 65535. Shared memory
/// serves 8 lanes at once, with 16 bytes each, if they access different banks. Therefore the
/// entries are read in an order that goes through the banks cyclically.
struct BankCounts {
  std::uint64_t low = 0, high = 0;

  GANTRY_HD int of(int bank) const {
    return static_cast<int>((bank < 4 ? low : high) >> (16 * (bank % 4)) & 0xFFFFU);
  }
  GANTRY_HD void add(int bank) { (bank < 4 ? low : high) += std::uint64_t{1} << (16 * (bank % 4)); }
  /// Returns the index, in that order, of the n-th entry of a bank: the order takes one entry of
  /// each bank after the other, passing over banks whose entries are used up.
  GANTRY_HD int index_of(int bank, int nth) const {
    int before = 0;
    for (int other = 0; other < 8; ++other)
      before += least(of(other), nth + (other < bank ? 1 : 0));
    return before;
  }
};

/// Returns where in a segment the entry with index `n` of that order is stored. 8 lanes read
/// `vector` neighbouring entries each and then use their first entries at the same time, then their
/// second ones: these are consecutive in the order.
GANTRY_HD int position_of_read(int n, int entries, int vector) {
  const int block = n / (8 * vector) * (8 * vector), in_block = least(entries - block, 8 * vector),
            lanes = (in_block + vector - 1) / vector, nth = n - block;
  // The last lane may have fewer entries, `full`; behind these, the other lanes alone go on.
  const int full = in_block - vector * (lanes - 1);
  if (nth < full * lanes) return block + nth % lanes * vector + nth / lanes;
  const int rest = nth - full * lanes;
  return block + rest % (lanes - 1) * vector + full + rest / (lanes - 1);
}

/// The steps in which the warps of a thread block process the segments of a tile in a view, counted
/// by detector column. Segments `colours` apart have the same colour; they have no pixel in common
/// if no pixel is seen by more than `colours` rays of a view. The segments of a colour are
/// processed at the same time, one by each warp, then those of the next colour.
struct ConflictSchedule {
  int segments, colours, warps, rounds;  ///< rounds: steps of a colour

  static GANTRY_HD ConflictSchedule of(int segments, int colours, int warps) {
    const int of_colour = (segments + colours - 1) / colours;
    return {segments, colours, warps, (of_colour + warps - 1) / warps};
  }
  GANTRY_HD int steps() const { return colours * rounds; }
  /// Returns the segment of a warp in a step; -1: none.
  GANTRY_HD int segment(int n, int warp) const {
    const int nth = n / rounds + colours * (n % rounds * warps + warp);
    return nth < segments ? nth : -1;
  }
  /// Returns whether the warps must wait for each other after a step.
  GANTRY_HD bool ends_colour(int n) const { return n % rounds == rounds - 1; }
};

/// Stores the ascending matrix rows of a matrix column as steps of 16 bits from entry to entry, the
/// first one from row 0. Entries with weight 0 are inserted where a gap is wider. An entry may have
/// several weights.
constexpr int largest_gap = 65535;
template <class Put>
struct StepEncoder {
  const Put& put;  ///< put(step, weights...)
  int row = 0;

  template <class... Weights>
  GANTRY_HD void operator()(int next, Weights... weights) {
    for (; next - row > largest_gap; row += largest_gap) put(largest_gap, Weights{}...);
    put(next - row, weights...);
    row = next;
  }
};

}  // namespace gantry::device
