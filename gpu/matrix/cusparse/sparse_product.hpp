#pragma once

#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

#include <bit>
#include <memory>

namespace gantry {

class SquareBlocks;

/// A matrix as cuSPARSE is told of it; what it is made of outlives it and stays where it is.
class SparseMatrix {
 public:
  /// CSR, its weights in float32, or those halves. Throws UsageError from 2^31 nonzeros on.
  SparseMatrix(const CudaBackend& cuda, const DeviceCsr& matrix, const __half* halves = nullptr);
  /// Blocked-ELL, of halves.
  explicit SparseMatrix(const SquareBlocks& matrix);
  SparseMatrix(SparseMatrix&& other) noexcept;
  ~SparseMatrix();

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::size_t bytes() const;  ///< beside the matrix

 private:
  friend class SparseProduct;
  struct Handle;

  std::int64_t rows_, columns_;
  std::unique_ptr<Handle> handle_;
};

/// Columns with which cuSPARSE's SpMM is fast, `count` or more: 23 take three times as long as 32.
constexpr int fast_columns(int count) {
  return count > 32 ? (count + 31) / 32 * 32
                    : static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
}

/// Products of a matrix by cuSPARSE. Throws DeviceError where cuSPARSE does not take the matrix.
class SparseProduct {
 public:
  /// With a vector (SpMV), also of the transpose.
  SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, bool transposed);
  /// With many vectors at once (SpMM), the columns of arrays [row][vector]: by algorithm CSR_ALG2
  /// or CSR_ALG3, or with 0 by the library's choice.
  SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, int vectors, int algorithm);
  ~SparseProduct();
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  /// `in` is of the type of the weights.
  void multiply(const void* in, float* out) const;
  std::size_t bytes() const;

 private:
  class Call;
  class OfVector;
  class OfColumns;
  template <class Make>
  void prepare(const CudaBackend& cuda, int vectors, const Make& make);

  SparseMatrix matrix_;
  mutable DeviceBuffer<unsigned char> work_;
  std::unique_ptr<Call> call_;
};

/// The transpose by cuSPARSE's csr2csc, again and again into the same memory.
class SparseTurn {
 public:
  /// Throws UsageError from 2^31 nonzeros on, which csr2csc does not take.
  SparseTurn(const CudaBackend& cuda, const DeviceCsr& from);
  ~SparseTurn();
  SparseTurn(const SparseTurn&) = delete;
  SparseTurn& operator=(const SparseTurn&) = delete;

  void turn();
  const DeviceCsr& matrix() const { return to_; }
  std::size_t bytes() const;

 private:
  struct Handles;

  const CudaBackend& cuda_;
  const DeviceCsr& from_;
  DeviceCsr to_;
  DeviceBuffer<int> from_start_, to_start_;
  DeviceBuffer<unsigned char> work_;
  std::unique_ptr<Handles> handles_;
};

}  // namespace gantry
