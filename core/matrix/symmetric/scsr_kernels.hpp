#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Inner loops of the symmetric format on plain pointers: matrix rows times 1, 2, 4, 8 or 16 vectors
// at once. Value j of vector k lies at [j * vectors + k], `vectors` being the number of vectors.
// The loops (scsr_kernels.inl) are compiled once per instruction set; scsr_kernels() returns those
// that suit the processor. All sums are in float64, of exact products, in an order that depends on
// the matrix alone.

/// Matrix rows of nonzeros: 16 bit columns with float or half weights, or 32 bit columns with float
/// weights. Pointers that are not used are null.
struct ScsrRows {
  const float* weight = nullptr;
  const std::uint16_t* half_weight = nullptr;
  const std::uint16_t* short_column = nullptr;
  const std::uint32_t* column = nullptr;
  const std::uint32_t* start = nullptr;  ///< first entry of each row, rows + 1 values
  std::size_t rows = 0;
  double unit = 1;  ///< weight that a stored 1 stands for, a power of two
};

struct ScsrKernels {
  /// y[row] += unit * sum of weight * x[column]
  void (*multiply)(const ScsrRows&, int vectors, const float* x, double* y);
  /// x[column] += unit * weight * y[row]
  void (*scatter)(const ScsrRows&, int vectors, const float* y, double* x);
};

/// Returns the loops for the instruction set of the processor.
const ScsrKernels& scsr_kernels();

}  // namespace gantry
