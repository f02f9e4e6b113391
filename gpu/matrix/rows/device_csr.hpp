#pragma once

#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/rows/stored_row_model.hpp"

#include <cstdint>

namespace gantry {

/// A sparse matrix in device memory: entries of row i are those from start[i] to start[i + 1].
struct DeviceCsr {
  std::int64_t rows = 0, columns = 0;
  DeviceBuffer<std::int64_t> start;
  DeviceBuffer<int> index;
  DeviceBuffer<float> weight;

  std::int64_t nonzeros() const { return static_cast<std::int64_t>(index.size()); }
  std::size_t bytes() const {
    return start.size() * sizeof(std::int64_t) + index.size() * (sizeof(int) + sizeof(float));
  }
  device::SparseRows view() const { return {start.data(), index.data(), weight.data()}; }
};

/// Room for the nonzeros whose counts per row are in `counts`, a 0 behind them.
DeviceCsr make_device_csr(const CudaBackend& cuda, std::int64_t rows, std::int64_t columns,
                          DeviceBuffer<std::int64_t> counts);

/// The transposed matrix, its entries in the order of the rows. Throws UsageError from 2^32 entries
/// on.
DeviceCsr turned(const CudaBackend& cuda, const DeviceCsr& matrix);

}  // namespace gantry
