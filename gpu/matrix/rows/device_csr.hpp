#pragma once

#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

#include <cstdint>

namespace gantry {

/// A sparse matrix in CSR in device memory. The entries of matrix row i begin at start[i] and end
/// before start[i + 1].
struct DeviceCsr {
  std::int64_t rows = 0, columns = 0;  ///< number of matrix rows and matrix columns
  DeviceBuffer<std::int64_t> start;
  DeviceBuffer<int> index;
  DeviceBuffer<float> weight;

  std::int64_t nonzeros() const { return static_cast<std::int64_t>(index.size()); }
  std::size_t bytes() const {
    return start.size() * sizeof(std::int64_t) + index.size() * (sizeof(int) + sizeof(float));
  }
  device::SparseRows view() const { return {start.data(), index.data(), weight.data()}; }
};

/// Returns a CSR matrix whose row starts are set and whose entries are allocated but not filled.
/// `counts` holds the number of nonzeros of each matrix row, and a 0 behind the last.
DeviceCsr make_device_csr(const CudaBackend& cuda, std::int64_t rows, std::int64_t columns,
                          DeviceBuffer<std::int64_t> counts);

/// Returns the transpose of `matrix`. Within each of its matrix rows, entries ascend by index.
/// Throws UsageError if the matrix has 2^32 entries or more.
DeviceCsr transposed(const CudaBackend& cuda, const DeviceCsr& matrix);

}  // namespace gantry
