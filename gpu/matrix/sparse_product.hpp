#pragma once

#include "gpu/matrix/device_csr.hpp"

#include <memory>

namespace gantry {

/// Products of one matrix, or of its transpose, by cuSPARSE (generic SpMV). The matrix outlives it
/// and stays where it is.
class SparseProduct {
 public:
  /// Row starts go in 32 bits where these suffice. Throws DeviceError where cuSPARSE does not take
  /// the matrix.
  SparseProduct(const CudaBackend& cuda, const DeviceCsr& matrix, bool transposed);
  ~SparseProduct();
  SparseProduct(const SparseProduct&) = delete;
  SparseProduct& operator=(const SparseProduct&) = delete;

  /// out = matrix (or its transpose) times in.
  void multiply(const float* in, float* out) const;
  std::size_t bytes() const;

 private:
  struct Handles;

  const CudaBackend& cuda_;
  DeviceBuffer<int> start_;
  mutable DeviceBuffer<unsigned char> work_;
  std::unique_ptr<Handles> handles_;
};

/// Products of one matrix with many vectors at once (SpMM), vectors being the columns of arrays
/// [row][vector]. The matrix outlives it and stays where it is.
class SparseColumns {
 public:
  /// By cuSPARSE's algorithm CSR_ALG2 or CSR_ALG3. Throws DeviceError where cuSPARSE does not take
  /// the matrix, UsageError from 2^31 nonzeros on.
  SparseColumns(const CudaBackend& cuda, const DeviceCsr& matrix, int vectors, int algorithm);
  ~SparseColumns();
  SparseColumns(const SparseColumns&) = delete;
  SparseColumns& operator=(const SparseColumns&) = delete;

  void multiply(const float* in, float* out) const;
  std::size_t bytes() const;

 private:
  struct Handles;

  DeviceBuffer<int> start_;
  mutable DeviceBuffer<unsigned char> work_;
  std::unique_ptr<Handles> handles_;
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
