#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/block_order.hpp"
#include "gpu/matrix/bsr_half/slice_magnitudes.hpp"
#include "gpu/matrix/cusparse/slice_columns.cuh"

namespace gantry {

/// How the slices of a stack become columns of a product.
struct ColumnForm {
  int together = 0;    ///< slices per product; 0: all
  bool half = false;   ///< columns of halves; else of float32
  int columns = 0;     ///< columns per product, zeros beyond the slices; 0: as many as slices
  float headroom = 1;  ///< see SliceColumns
  BlockOrder rays = {}, pixels = {};  ///< empty: natural order
  std::int64_t multiple_of = 1;       ///< rays and pixels are padded to a multiple of this
};

/// A matrix W of one slice, multiplied with the slices of a stack as the columns [position][slice]
/// of a dense matrix; the base class of several formats. Products cover all views, whatever the
/// subset. In half precision each slice is scaled by a power of two of its own, so that no value
/// overflows; sums are float32.
class ColumnMatrix : public Matrix {
 public:
  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const final;
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const final;
  MatrixStorage storage() const final;

  /// Returns the bytes of the intermediate vectors for products with so many columns.
  static double vector_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                             int columns) {
    return 4.0 * columns * static_cast<double>(estimate.rows + estimate.columns) /
           weights.grid().nz;
  }
  /// Returns `each` bytes for each position of rays and pixels, gaps included, and the bytes of
  /// their order.
  static double position_bytes(const NonzeroEstimate& estimate, const Projector& weights,
                               const ColumnForm& form, double each) {
    const auto of = [&](const BlockOrder& order, std::size_t count) {
      return order.at.empty() ? each * static_cast<double>(count) / weights.grid().nz
                              : (each + 4) * static_cast<double>(order.at.size());
    };
    return of(form.rays, estimate.rows) + of(form.pixels, estimate.columns);
  }

 protected:
  ColumnMatrix(const CudaBackend& cuda, const Projector& weights, ColumnForm form);

  /// Compute out = W in and out = W^T in. `in` has columns of halves or floats, `out` columns of
  /// floats, which are overwritten completely.
  virtual void product(const void* in, float* out) const = 0;
  virtual void transposed(const void* in, float* out) const = 0;
  /// Returns the entries and arrays of the matrix of one slice.
  virtual MatrixStorage stored() const = 0;

  const CudaBackend& cuda() const { return cuda_; }
  int columns() const { return stride_; }
  std::int64_t ray_positions() const { return rays_.count; }
  std::int64_t pixel_positions() const { return pixels_.count; }
  /// Return the ray or pixel of each [position], or null for the natural order.
  const int* ray_at() const { return rays_.at.data(); }
  const int* pixel_at() const { return pixels_.at.data(); }
  /// Returns the unit by which weights stored as halves were divided.
  float unit() const { return unit_; }

 private:
  /// The positions of a dense matrix: of rays or of pixels.
  struct Positions {
    std::int64_t count = 0;
    DeviceBuffer<int> at;
    DeviceBuffer<float> vectors;  // halves, if the columns are halves
  };

  Positions make_positions(const BlockOrder& order, std::int64_t count) const;
  device::SliceColumns columns_of(const Positions& of, int first, ViewSubset subset) const;
  template <bool Rays>
  void fill(Positions& to, int first, ViewSubset subset, const Array& from) const;
  template <bool Rays>
  void empty(const Positions& from, int first, ViewSubset subset, Array& to) const;
  template <class Work>
  void for_parts_of_slices(const LinearOperator& interruptible, const Work& work) const;

  const CudaBackend& cuda_;
  device::SliceLayout layout_;
  int together_, stride_;
  bool half_;
  float headroom_, unit_;
  mutable SliceMagnitudes magnitudes_;
  mutable Positions rays_, pixels_;
};

}  // namespace gantry
