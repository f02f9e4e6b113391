#pragma once

#include "core/projectors/common/padded_rows.hpp"

#include <cstdint>

namespace gantry {

/// Inner loops of the Siddon and Joseph projectors. In a layer, a ray weighs the pixels of a padded
/// row by their overlap with an interval no longer than a pixel, divided by the interval's length:
/// at most two pixels, whose weights add up to one. Siddon's interval is the part of the ray inside
/// the layer; Joseph's is one pixel wide and centred where the ray meets the middle of the layer,
/// which is linear interpolation. Compiled once per instruction set; siddon_joseph_kernels()
/// returns the fastest version that the processor can run.

/// What the transpose adds to value i of a padded row (`here`) and to value i + 1 (`next`). The two
/// sums are kept apart until all rays are added, so that updates of different pairs never overlap
/// in part: a processor forwards a store to a later load only if the store covers the whole load.
struct ValuePair {
  float here, next;
};

/// Intervals of some rays on the layers of a block: on layer k, counted from the first layer of the
/// block, interval c begins at low[c] + k step[c] (in pixels).
struct RayIntervals {
  const float *low, *step, *inverse_length;
  int count;
};

/// Intervals on a voxel line of the rays to the rows q of one detector column, in voxels: interval
/// q begins at origin + pitch q - half_length * distance[q], and 1 / its length is inverse_scale *
/// inverse_distance[q]. Only rows first .. last - 1 can meet the line.
struct RowIntervals {
  float origin, pitch, half_length, inverse_scale;
  const float *distance, *inverse_distance;
  int first, last;
};

/// Prefix sums of the values of one detector column over its rows, in whole units modulo 2^32 (see
/// prefix_sums.hpp): at[j] is the sum of the rows before row j - 1, for j = 0 .. rows + 2.
struct RowSums {
  const std::int32_t* at;
  int rows;
  float central_row;  ///< row from which RowIntervals::distance is counted
};

struct SiddonJosephKernels {
  /// sum[c] += sum over the layers of the block of the weighted pixels under interval c. Layer k is
  /// the padded row at image + k * (width + row_padding).
  void (*forward)(const RayIntervals&, const float* image, int width, int slices, float* sum);
  /// The transpose of forward: adds the weights times value[c] to rows of pairs, which are padded
  /// and laid out like the rows of `image` there.
  void (*adjoint)(const RayIntervals&, const float* value, int width, int slices, ValuePair* image);
  /// out[q] += weight * the weighted voxels of the padded line under interval q.
  void (*gather_rows)(const RowIntervals&, const float* line, int voxels, float weight, float* out);
  /// The transpose of gather_rows: adds weight * in[q] to the pairs of the voxels under interval q.
  void (*scatter_rows)(const RowIntervals&, const float* in, int voxels, float weight,
                       ValuePair* pairs);
  /// Computes what scatter_rows does from the prefix sums of the rows, by a difference per voxel in
  /// place of a write per row: line += weight * units under each voxel. Only for intervals that
  /// rise with the row and are shorter than the distance of two rows. `scratch` holds voxels + 1
  /// values.
  void (*spread_sums)(const RowIntervals&, const RowSums&, int voxels, float weight,
                      std::int32_t* scratch, float* line);
  /// out = a x + b y
  void (*combine)(float a, const float* x, float b, const float* y, int count, float* out);
  /// Adds up the pairs to v[i] = pairs[i].here + pairs[i - 1].next, computes x += a v and y += b v,
  /// and sets the pairs to zero.
  void (*distribute)(float a, float b, ValuePair* pairs, int count, float* x, float* y);
};

const SiddonJosephKernels& siddon_joseph_kernels();

}  // namespace gantry
