#pragma once

#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

#include <bit>
#include <memory>

namespace gantry {

class SquareBlocks;

/// A matrix as a descriptor of cuSPARSE. The arrays of the matrix must outlive it and must not
/// move.
class SparseMatrix {
 public:
  /// CSR with float32 weights, or with the weights `halves` instead. Throws UsageError from 2^31
  /// nonzeros on.
  SparseMatrix(const CudaBackend& cuda, const DeviceCsr& matrix, const __half* halves = nullptr);
  /// Blocked-ELL of halves.
  explicit SparseMatrix(const SquareBlocks& matrix);
  SparseMatrix(SparseMatrix&& other) noexcept;
  ~SparseMatrix();

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::size_t bytes() const;  ///< in addition to the matrix

 private:
  friend class SparseProduct;
  struct Handle;

  std::int64_t rows_, columns_;
  std::unique_ptr<Handle> handle_;
};

/// Returns a number of columns, `count` or more, with which cuSPARSE's SpMM is fast: 23 columns
/// take three times as long as 32.
constexpr int fast_columns(int count) {
  return count > 32 ? (count + 31) / 32 * 32
                    : static_cast<int>(std::bit_ceil(static_cast<unsigned>(count)));
}

/// Products of a matrix by cuSPARSE. Throws DeviceError where cuSPARSE does not accept the matrix.
class SparseProduct {
 public:
  /// Products with one vector (SpMV), optionally of the transpose.
  SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, bool transposed);
  /// Products with several vectors at once (SpMM), the columns of arrays [row][vector], by
  /// algorithm CSR_ALG2 or CSR_ALG3, or with 0 by the library's choice.
  SparseProduct(const CudaBackend& cuda, SparseMatrix matrix, int vectors, int algorithm);
  ~SparseProduct();
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  /// Computes out = A in. `in` has the type of the weights.
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

/// The transpose of a matrix, computed by cuSPARSE's csr2csc into the same memory every time.
class CsrTransposer {
 public:
  /// Throws UsageError from 2^31 nonzeros on, which csr2csc does not support.
  CsrTransposer(const CudaBackend& cuda, const DeviceCsr& from);
  ~CsrTransposer();
  CsrTransposer(const CsrTransposer&) = delete;
  CsrTransposer& operator=(const CsrTransposer&) = delete;

  void transpose();
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
