#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/rows/device_csr.hpp"

#include <cuda_fp16.h>

namespace gantry {

/// A matrix of halves in square blocks, every block row padded to the longest one; NVIDIA's library
/// calls this format Blocked-ELL.
class SquareBlocks {
 public:
  /// Lays out `from`: the row at each position is row_at[position] (-1: none), and column j goes to
  /// position column_place[j]. Both numbers of positions are multiples of `side`. Throws
  /// OutOfMemory.
  SquareBlocks(const CudaBackend& cuda, const DeviceCsr& from, const int* row_at,
               std::int64_t row_places, const DeviceBuffer<int>& column_place,
               std::int64_t column_places, int side, float unit);

  std::int64_t rows = 0, columns = 0;
  int side, slots = 0;
  DeviceBuffer<int> column;     ///< [block row][slot], -1: no block
  DeviceBuffer<__half> weight;  ///< [row][slot][column within the block], weight / unit
  std::uint64_t blocks = 0;     ///< number of blocks stored, without padding

  /// Length of a row, in weights.
  std::int64_t width() const { return std::int64_t{slots} * side; }
  std::size_t bytes() const { return column.size() * sizeof(int) + weight.size() * sizeof(__half); }
};

}  // namespace gantry
