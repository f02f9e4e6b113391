#pragma once

#include "core/projectors/common/padded_rows.hpp"

#include <cstdint>

namespace gantry {

/// Inner loops of projectors whose weight is the overlap of an interval no longer than a pixel with
/// the pixels of a row, divided by the interval's length: at most two pixels with weights that add
/// up to one. Siddon's interval is the part of the ray inside the slice; Joseph's is a box one
/// pixel wide about the point where the ray meets the slice's middle, which is linear
/// interpolation. Compiled once per instruction set; siddon_joseph_kernels() picks what the
/// processor can run.

/// What the transpose adds to a padded row at value i and at the next. Kept apart until all is
/// added: a processor is quick to add to the place that it has just written only if both times it
/// is all of the place.
struct ValuePair {
  float here, next;
};

/// Intervals of a set of rays on the slices of a block: on slice k (counted from the block's first)
/// interval c begins at low[c] + k step[c].
struct RayIntervals {
  const float *low, *step, *inverse_length;
  int count;
};

/// Intervals along z of the rows q of one detector column: row q's begins at origin + pitch q -
/// half_length * distance[q], and 1 / its length is inverse_scale * inverse_distance[q]. Only rows
/// first .. last - 1 can meet the line.
struct RowIntervals {
  float origin, pitch, half_length, inverse_scale;
  const float *distance, *inverse_distance;
  int first, last;
};

/// Prefix sums of the rows of one detector column, in whole units modulo 2^32 (see
/// prefix_sums.hpp): at[j] is the sum of the rows before row j - 1, for j = 0 .. rows + 2.
struct RowSums {
  const std::int32_t* at;
  int rows;
  float central_row;  ///< RowIntervals::distance counts from here
};

struct SiddonJosephKernels {
  /// sum[c] += sum over the block's slices of the weighted pixels under interval c. Slice k is the
  /// padded row at image + k * (width + row_padding).
  void (*forward)(const RayIntervals&, const float* image, int width, int slices, float* sum);
  /// The transpose: adds weights times value[c] to such rows of pairs.
  void (*adjoint)(const RayIntervals&, const float* value, int width, int slices, ValuePair* image);
  /// out[q] += weight * weighted voxels of the padded line under row q's interval.
  void (*gather_rows)(const RowIntervals&, const float* line, int voxels, float weight, float* out);
  /// The transpose: pairs of a line += weight * in[q], spread over the voxels under row q's
  /// interval.
  void (*scatter_rows)(const RowIntervals&, const float* in, int voxels, float weight,
                       ValuePair* pairs);
  /// The same without a write per row, for intervals that rise with the row and are shorter than
  /// the distance of two rows: line += weight * units spread over the voxels. `scratch` holds
  /// voxels + 1 values.
  void (*spread_sums)(const RowIntervals&, const RowSums&, int voxels, float weight,
                      std::int32_t* scratch, float* line);
  /// out = a x + b y
  void (*combine)(float a, const float* x, float b, const float* y, int count, float* out);
  /// With v the sum of pairs at each place: x += a v, y += b v, and the pairs are zero again.
  void (*distribute)(float a, float b, ValuePair* pairs, int count, float* x, float* y);
};

const SiddonJosephKernels& siddon_joseph_kernels();

}  // namespace gantry
