#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/block_order.hpp"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"
#include "gpu/matrix/cusparse/slice_columns.cuh"

namespace gantry {

/// How the slices of a stack are given to a matrix and taken from it.
struct ColumnForm {
  int together = 0;                   ///< slices of a product; 0: all
  bool half = false;                  ///< or float32
  int columns = 0;                    ///< of a product, those beyond its slices 0; 0: as many
  float headroom = 1;                 ///< as of SliceTurn
  BlockOrder rays = {}, pixels = {};  ///< empty: in natural order
  std::int64_t places_of = 1;         ///< of which rays and pixels are padded to a multiple
};

/// W of one slice, times the slices of a stack as columns [place][slice]: what such matrices share.
/// Products are of all views, whatever is asked for. Values of a slice become halves by a power of
/// two of their own, so that none overflows; sums are float32.
class ColumnMatrix : public Matrix {
 public:
  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const final;
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const final;
  MatrixStorage storage() const final;

  /// Bytes of the vectors in between, of products of so many columns.
  static double vector_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             int columns) {
    return 4.0 * columns * static_cast<double>(estimate.rows + estimate.columns) /
           weights.grid().nz;
  }

 protected:
  ColumnMatrix(const CudaBackend& cuda, const Projector& weights, ColumnForm form);

  /// out = W in, and W^T in: columns of halves or of floats; out of floats, written whole.
  virtual void product(const void* in, float* out) const = 0;
  virtual void transposed(const void* in, float* out) const = 0;
  /// Entries and arrays of the matrix, of one slice.
  virtual MatrixStorage stored() const = 0;

  const CudaBackend& cuda() const { return cuda_; }
  int columns() const { return stride_; }
  std::int64_t ray_places() const { return rays_.places; }
  std::int64_t pixel_places() const { return pixels_.places; }
  /// [place], or null.
  const int* ray_at() const { return rays_.at.data(); }
  const int* pixel_at() const { return pixels_.at.data(); }
  /// By which the weights of a matrix of halves were divided.
  float unit() const { return unit_; }

 private:
  struct Places {
    std::int64_t places = 0;
    DeviceBuffer<int> at;
    DeviceBuffer<float> vectors;  // or halves
  };

  Places make_places(const BlockOrder& order, std::int64_t count) const;
  device::SliceTurn turn(const Places& of, int first, ViewSubset subset) const;
  template <bool Rays>
  void fill(Places& to, int first, ViewSubset subset, const Array& from) const;
  template <bool Rays>
  void empty(const Places& from, int first, ViewSubset subset, Array& to) const;
  template <class Work>
  void for_parts_of_slices(const LinearOperator& give, const Work& work) const;

  const CudaBackend& cuda_;
  device::SliceLayout layout_;
  int together_, stride_;
  bool half_;
  float headroom_, unit_;
  mutable SliceMagnitudes magnitudes_;
  mutable Places rays_, pixels_;
};

}  // namespace gantry
