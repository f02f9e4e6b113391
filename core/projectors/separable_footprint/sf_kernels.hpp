#pragma once

#include <cstdint>

namespace gantry {

/// Inner loops of the separable-footprint projector in the plane of rotation, on one slice of
/// pixels. Compiled once per instruction set; sf_kernels() picks what the processor can run.

/// Where points of a line u = u_0 + i u_step meet the detector, in cells (cell c spans c .. c + 1):
/// gain q + bias with q = (across + i across_step) / (depth + i depth_step), or atan(q) on an arc.
/// A parallel beam has depth 1.
struct SfLine {
  float across, across_step, depth, depth_step, gain, bias;
  bool arc;
};

/// Longest chord (mm) of the rays through the pixels of a slice: the ray to the centre of pixel i
/// runs along (u + i u_step, w); the chord is its length over max(|u| / du, |w| / dw). u_step is 0
/// for a parallel beam.
struct SfChords {
  float u, u_step, w, inverse_du, inverse_dw;
};

/// Cells that a footprint may touch, at most, for the kernels to be used.
constexpr int sf_taps = 4;
/// Values before the first and after the last cell of a padded detector row.
constexpr int sf_padding = 4;

/// What a pixel adds to four cells in turn.
struct alignas(16) CellQuad {
  float cell[sf_taps];
};

/// Two neighbouring slices, for pixels whose footprint rises over one of the sides that stand
/// across the slices and falls over the next: a footprint is then the difference of two ramps, and
/// each ramp is shared by two pixels. plane[p][i] is where corner i lies on the first side, between
/// the two slices, and on the last side, in cells and (but for rounding) ascending in p. Slice p
/// lies between planes p and p + 1. Values are counted in units of 1 / per_unit, in which six
/// chords' worth of the largest pixel are to stay below 2^30. All rows are readable, whatever
/// stands there, for sf_pair_padding values more.
constexpr int sf_pair_padding = 16;
struct SfPair {
  const float* plane[3];
  const float* pixels[2];
  SfChords chords[2];
  float per_unit;
};

/// What the ramps of a pair add, modulo 2^32: to three cells in turn, and to all that follow them.
struct alignas(16) CellCounts {
  std::uint32_t cell[3], beyond;
};

struct SfKernels {
  /// coordinate[i] for i = 0 .. count - 1
  void (*project)(const SfLine&, int count, float* coordinate);
  /// quads[c] += chord * mean of the footprint over cells c - sf_padding, and the three after it,
  /// times pixels[i]; for pixels i = 0 .. count - 1, whose corners lie at low[i], low[i + 1],
  /// high[i], high[i + 1]. The detector has `cells` cells, `quads` cells + 2 sf_padding places.
  using Forward = void (*)(const float* low, const float* high, const SfChords&,
                           const float* pixels, int count, int cells, CellQuad* quads);
  /// The transpose: pixels[i] += what forward would add, with the padded row of cells as weights.
  using Adjoint = void (*)(const float* low, const float* high, const SfChords&, const float* row,
                           int count, int cells, float* pixels);
  /// counts[c] += what pixels first .. last - 1 of a pair add to the cells from c - sf_padding. No
  /// ramp may be longer than a cell, and rays climb at most a slice a pixel and a mm a mm.
  void (*forward_pair)(const SfPair&, int first, int last, int cells, CellCounts* counts);
  /// For footprints that touch at most 2, 3 and 4 cells.
  Forward forward[3];
  Adjoint adjoint[3];
};

const SfKernels& sf_kernels();

}  // namespace gantry
