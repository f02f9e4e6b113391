#pragma once

#include <cstddef>
#include <cstdint>

namespace gantry {

/// Inner loops of products with stored matrices. Columns count voxels and stay below 2^31, so that
/// a processor can take them for signed offsets. Compiled once per instruction set;
/// matrix_kernels() picks what the processor can run.

/// Rows that are computed beside each other: those of a slice.
constexpr std::size_t slice_lanes = 32;

struct MatrixKernels {
  /// sum_k weight[k] image[column[k]], in float64.
  double (*dot)(const float* weight, const std::uint32_t* column, std::size_t count,
                const float* image);
  /// sums[column[k] - first_column] += weight[k] value, where no column comes twice.
  void (*spread)(const float* weight, const std::uint32_t* column, std::size_t count, double value,
                 std::size_t first_column, double* sums);
  /// sums[l] += sum_e weight[e lanes + l] image[column[e lanes + l]], e < width, l < slice_lanes.
  void (*slice_dot)(const float* weight, const std::uint32_t* column, std::size_t width,
                    const float* image, double* sums);
};

const MatrixKernels& matrix_kernels();

}  // namespace gantry
