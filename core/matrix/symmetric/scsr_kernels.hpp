#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

/// Inner loops of the symmetric format on plain pointers: rows of a matrix times 1, 2, 4, 8 or 16
/// vectors at once, their lanes. Value j of lane k lies at [j * lanes + k]. The file is compiled
/// once per instruction set; scsr_kernels() picks what the processor can run. All sums are in
/// float64 of exact products, in an order that is the matrix's alone.

/// Rows of nonzeros, as 16 bit columns with float or half weights (the other pointer is null), or
/// as 32 bit columns with float weights.
struct ScsrRows {
  const float* weight = nullptr;
  const std::uint16_t* half_weight = nullptr;
  const std::uint16_t* short_column = nullptr;
  const std::uint32_t* column = nullptr;
  const std::uint32_t* start = nullptr;  ///< rows + 1
  std::size_t rows = 0;
  double unit = 1;  ///< what a weight of 1 stands for
};

struct ScsrKernels {
  /// y[row] += unit * sum of weight * x[column]
  void (*multiply)(const ScsrRows&, int lanes, const float* x, double* y);
  /// x[column] += unit * weight * y[row]
  void (*scatter)(const ScsrRows&, int lanes, const float* y, double* x);
};

const ScsrKernels& scsr_kernels();

}  // namespace gantry
