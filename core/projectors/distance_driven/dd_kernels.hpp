#pragma once

#include <cstdint>

namespace gantry {

/// Inner loops of the distance-driven projector on plain pointers. Compiled once per instruction
/// set; dd_kernels() returns the version for the processor.

/// How the layers of an image lie in memory: pixel i of layer k is data[k * layer_stride + i *
/// pixel_stride].
struct DdPlane {
  int slices, width;
  std::int32_t layer_stride, pixel_stride;
};

/// The cell edges of a view (see DdView). On layer k, edge e lies at the pixel coordinate
///   U_k(e) = scale_k edge[e] + shift_first + k shift_step, scale_k = scale_first + k scale_step.
struct DdMap {
  const float* edge;  ///< ascending, cells + 1
  int cells;
  float widest;  ///< largest edge[c + 1] - edge[c]
  double scale_first, scale_step, shift_first, shift_step;
};

/// The map from an edge value s to a cell coordinate: q = (a s + b) / (c s + d), for an arc
/// detector then q = atan(q); the cell coordinate is gain q + bias, correct to 1e-4 of a cell.
struct DdLocate {
  float a, b, c, d, gain, bias;
  bool arc;
};

/// Integrals over the edge table of a density that is constant within each cell. The integrals are
/// whole numbers modulo 2^32, so that the difference of two is exact however long the table is.
struct DdPrefix {
  const std::int32_t* sum;  ///< [cell] integral up to the cell's lower edge, in units
  const float* density;     ///< [cell] value per unit of edge
  float unit;               ///< size of a unit of `sum`
};

struct DdKernels {
  /// sum[c] += sum over layers of 1/scale_k * sum_i overlap(cell c, pixel i) * image, for cells
  /// cell_first .. cell_last - 1. `image` points at layer layer_first.
  void (*forward)(const DdMap&, const DdPlane&, const float* image, int layer_first, int layer_last,
                  int cell_first, int cell_last, float* sum);
  /// The transpose of forward: adds to each pixel the integral of the density over the pixel, in
  /// edge units. For layers y = const, whose pixels run along memory; `image` points at layer
  /// layer_first. `scratch` holds 4 (width + 1) floats. If `second` is not null, does the same for
  /// a second density and image, at less than twice the cost.
  void (*adjoint_along)(const DdMap&, const DdLocate&, const DdPlane&, int layer_first,
                        int layer_last, const DdPrefix& first, float* first_image,
                        const DdPrefix* second, float* second_image, float* scratch);
  /// Does the same as adjoint_along for layers x = const, whose numbers run along memory, for
  /// pixels pixel_first .. pixel_last - 1 of every layer; `image` points at pixel_first of layer 0.
  /// `scratch` holds 10 * slices floats.
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
