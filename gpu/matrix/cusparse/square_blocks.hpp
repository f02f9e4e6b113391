#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

namespace gantry {

/// A matrix of halves in square blocks, all rows of blocks padded to the longest: what NVIDIA's
/// library calls Blocked-ELL.
class SquareBlocks {
 public:
  /// Of `from`, whose rows go to the places of `row_at` (-1: none) and columns to `column_place`;
  /// both counts of places are multiples of `side`. Throws OutOfMemory.
  SquareBlocks(const CudaBackend& cuda, const DeviceCsr& from, const int* row_at,
               std::int64_t row_places, const DeviceBuffer<int>& column_place,
               std::int64_t column_places, int side, float unit);

  std::int64_t rows = 0, columns = 0;
  int side, slots = 0;
  DeviceBuffer<int> column;     ///< [row of blocks][slot], -1 where there is no block
  DeviceBuffer<__half> weight;  ///< [row][slot][column of the block], weight / unit
  std::uint64_t blocks = 0;     ///< that are there

  /// Of a row, in weights.
  std::int64_t width() const { return std::int64_t{slots} * side; }
  std::size_t bytes() const { return column.size() * sizeof(int) + weight.size() * sizeof(__half); }
};

}  // namespace gantry
