#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

// Inner loops of products with stored matrices. Matrix columns are voxel indices below 2^31, so
// that a processor can use them as signed offsets. The loops are compiled once per instruction set;
// matrix_kernels() returns those that suit the processor.

/// Number of matrix rows in a chunk (sliced_rows.hpp), which are computed side by side.
constexpr std::size_t chunk_rows = 32;

struct MatrixKernels {
  /// Returns sum_k weight[k] image[column[k]], in float64.
  double (*dot)(const float* weight, const std::uint32_t* column, std::size_t count,
                const float* image);
  /// sums[column[k] - first_column] += weight[k] value. No column may occur twice.
  void (*spread)(const float* weight, const std::uint32_t* column, std::size_t count, double value,
                 std::size_t first_column, double* sums);
  /// sums[l] += sum_e weight[e n + l] image[column[e n + l]], e < width, l < n = chunk_rows.
  void (*chunk_dot)(const float* weight, const std::uint32_t* column, std::size_t width,
                    const float* image, double* sums);
};

/// Returns the loops for the instruction set of the processor.
const MatrixKernels& matrix_kernels();

}  // namespace gantry
