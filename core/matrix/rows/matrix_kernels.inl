// The loops declared in matrix_kernels.hpp. This file is included once per instruction set, with
// GANTRY_ISA as the name of the namespace.

namespace gantry::GANTRY_ISA {

namespace {

double row_dot(const float* __restrict__ weight, const std::uint32_t* __restrict__ column,
               std::size_t count, const float* __restrict__ image) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < count; ++k)
    sum += static_cast<double>(weight[k]) * image[static_cast<std::int32_t>(column[k])];
  return sum;
}

void row_spread(const float* __restrict__ weight, const std::uint32_t* __restrict__ column,
                std::size_t count, double value, std::size_t first_column,
                double* __restrict__ sums) {
  const auto first = static_cast<std::uint32_t>(first_column);
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k)
    sums[static_cast<std::int32_t>(column[k] - first)] += weight[k] * value;
}

void chunk_dot(const float* __restrict__ weight, const std::uint32_t* __restrict__ column,
               std::size_t width, const float* __restrict__ image, double* __restrict__ sums) {
  for (std::size_t e = 0; e < width; ++e, weight += chunk_rows, column += chunk_rows)
#pragma omp simd
    for (std::size_t l = 0; l < chunk_rows; ++l)
      sums[l] += static_cast<double>(weight[l]) * image[static_cast<std::int32_t>(column[l])];
}

}  // namespace

extern const MatrixKernels matrix_table;
const MatrixKernels matrix_table = {row_dot, row_spread, chunk_dot};

}  // namespace gantry::GANTRY_ISA
