#pragma once

#include <cstdint>

namespace gantry {

/// Inner loops of the separable-footprint projector in the plane of rotation, on one layer or two
/// neighbouring layers. Compiled once per instruction set; sf_kernels() returns the version for the
/// processor.

/// The projection of points u = u_0 + i u_step of a layer's face onto the detector, in cells (cell
/// c spans c .. c + 1): gain q + bias with q = (across + i across_step) / (depth + i depth_step),
/// or the atan of this on an arc. A parallel beam has depth 1.
struct SfLine {
  float across, across_step, depth, depth_step, gain, bias;
  bool arc;
};

/// Chords (mm) through the centres of the pixels of a layer: the ray to the centre of pixel i has
/// the direction (u + i u_step, w), and the chord is the length of this vector over
/// max(|u + i u_step| / du, |w| / dw). u_step is 0 for a parallel beam.
struct SfChords {
  float u, u_step, w, inverse_du, inverse_dw;
};

/// Largest number of cells that a footprint may touch in the kernels `forward` and `adjoint`.
constexpr int sf_taps = 4;
/// Number of values before the first and after the last cell of a padded detector row.
constexpr int sf_padding = 4;

/// What pixels add to four consecutive cells.
struct alignas(16) CellQuad {
  float cell[sf_taps];
};

/// Two neighbouring layers, for pixels whose footprint rises over the projection of one of the two
/// pixel sides that run across the layers (side i) and falls over the projection of the other (side
/// i + 1). A footprint is then the difference of two ramps, and each ramp belongs to two
/// neighbouring pixels. plane[p][i] is the projection of corner i, in cells, on the first face (p =
/// 0), the face between the layers, and the last face, ascending in p but for rounding; layer p
/// lies between planes p and p + 1. Values are counted in units of 1 / per_unit, chosen so that six
/// times the longest chord times the largest pixel stays below 2^30 units. All rows must be
/// readable for sf_pair_padding values beyond their end, whose values do not matter.
constexpr int sf_pair_padding = 16;
struct SfPair {
  const float* plane[3];
  const float* pixels[2];
  SfChords chords[2];
  float per_unit;
};

/// What the ramps of an SfPair add, in units modulo 2^32: to three consecutive cells, and to each
/// of the cells after these.
struct alignas(16) CellCounts {
  std::uint32_t cell[3], beyond;
};

struct SfKernels {
  /// Computes coordinate[i] of SfLine for i = 0 .. count - 1.
  void (*project)(const SfLine&, int count, float* coordinate);
  /// quads[c].cell[t] += chord * pixels[i] * mean of the footprint over cell c - sf_padding + t,
  /// for pixels i = 0 .. count - 1, whose corners project to low[i], low[i + 1], high[i] and
  /// high[i + 1]. The detector has `cells` cells; `quads` has cells + 2 sf_padding elements.
  using Forward = void (*)(const float* low, const float* high, const SfChords&,
                           const float* pixels, int count, int cells, CellQuad* quads);
  /// The transpose of Forward: adds to pixels[i] the cells of a padded detector row, times the same
  /// weights.
  using Adjoint = void (*)(const float* low, const float* high, const SfChords&, const float* row,
                           int count, int cells, float* pixels);
  /// counts[c] += what pixels first .. last - 1 of both layers add to the cells from c - sf_padding
  /// on. No ramp may be longer than a cell, and along u no ray may move by more than a pixel per
  /// layer, nor by more than the thickness of a layer.
  void (*forward_pair)(const SfPair&, int first, int last, int cells, CellCounts* counts);
  /// The kernels for footprints that touch at most 2, 3 and 4 cells.
  Forward forward[3];
  Adjoint adjoint[3];
};

const SfKernels& sf_kernels();

}  // namespace gantry
