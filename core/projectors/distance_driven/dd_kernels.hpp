#pragma once

#include <cstdint>

namespace gantry {

/// Inner loops of the distance-driven projector on plain pointers. The file is compiled once per
/// instruction set; dd_kernels() picks what the processor can run.

/// How the pixels of an image plane are reached: pixel i of slice k is data[k * slice_stride + i *
/// pixel_stride].
struct DdPlane {
  int slices, width;
  std::int32_t slice_stride, pixel_stride;
};

/// Slice k sees the edges of the table at U_k(e) = (scale_first + k scale_step) edge[e] +
/// shift_first + k shift_step.
struct DdMap {
  const float* edge;  ///< ascending, cells + 1
  int cells;
  float widest;  ///< largest edge[c + 1] - edge[c]
  double scale_first, scale_step, shift_first, shift_step;
};

/// Where an edge value s falls among the cells: q = (a s + b) / (c s + d), then for an arc detector
/// q = atan(q); cell coordinate = gain q + bias. Good to 1e-4 of a cell.
struct DdLocate {
  float a, b, c, d, gain, bias;
  bool arc;
};

/// Prefix sums of cell values over the edge table. They are whole numbers modulo 2^32, so that the
/// difference of two of them is exact however long the table is; `unit` is what 1 stands for.
struct DdPrefix {
  const std::int32_t* sum;  ///< cells
  const float* density;     ///< cells: value per unit of edge
  float unit;
};

struct DdKernels {
  /// sum[c] += sum over slices of 1/scale_k * sum_i overlap(cell c, pixel i) * image, for cells
  /// first .. last - 1. `image` points at the first slice.
  void (*forward)(const DdMap&, const DdPlane&, const float* image, int slice_first, int slice_last,
                  int cell_first, int cell_last, float* sum);
  /// The transpose of forward: image += (per pixel) integral of the density over the pixel, in edge
  /// units. Here pixels run along memory (y slices); `image` points at the first slice. `scratch`
  /// holds 4 (width + 1) floats. With `second` not null, the same for a second density and image,
  /// at less than twice the cost.
  void (*adjoint_along)(const DdMap&, const DdLocate&, const DdPlane&, int slice_first,
                        int slice_last, const DdPrefix& first, float* first_image,
                        const DdPrefix* second, float* second_image, float* scratch);
  /// The same for planes whose slices run along memory (x slices), for pixels pixel_first ..
  /// pixel_last - 1 of every slice; `image` points at the first of these pixels. `scratch` holds 10
  /// * slices floats.
  void (*adjoint_across)(const DdMap&, const DdLocate&, const DdPlane&, int pixel_first,
                         int pixel_last, const DdPrefix& first, float* first_image,
                         const DdPrefix* second, float* second_image, float* scratch);
  /// out[q] += weight * sum_i overlap([origin + q pitch, origin + (q + 1) pitch], [i, i + 1]) *
  /// in[i].
  void (*resample)(const float* in, int in_count, float origin, float pitch, float weight,
                   int out_count, float* out);
  /// y[i] += a x[i]
  void (*add_scaled)(float a, const float* x, int count, float* y);
};

const DdKernels& dd_kernels();

}  // namespace gantry
