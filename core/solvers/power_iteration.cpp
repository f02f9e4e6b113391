// With x = C z, the map z -> A^T R A x has the eigenvalues of C A^T R A and is symmetric in the
// scalar product <z, C z>. Therefore its Rayleigh quotient
//   <A x, R A x> / <z, x>
// never decreases and stays below the largest eigenvalue, and its error is of the order of the
// square of the vector's error.
#include "core/solvers/power_iteration.hpp"

#include "core/solvers/random_vector.hpp"

#include <cmath>

namespace gantry {

namespace {

/// Returns the first vector. It is positive, so that it has a component along the leading
/// eigenvector of a projector, whose weights are not negative. It is uneven, so that this holds in
/// practice for other operators, too.
Array uneven_ones(Backend& backend, std::size_t size) {
  return random_vector(backend, size, 1, [](double u) { return 0.5 + u; });
}

}  // namespace

PowerResult largest_eigenvalue(const LinearOperator& A, const Array* column_weight,
                               const Array* row_weight, PowerLimits limits) {
  return largest_eigenvalue(A, A.all(), column_weight, row_weight, limits);
}

PowerResult largest_eigenvalue(const LinearOperator& A, ViewSubset views,
                               const Array* column_weight, const Array* row_weight,
                               PowerLimits limits) {
  Backend& backend = A.backend();
  Array z = uneven_ones(backend, A.domain_size()), x(backend, A.domain_size());
  Array y = Array::filled(backend, A.range_size(), 0), weighted;  // zero on other views
  if (row_weight != nullptr) weighted = Array(backend, A.range_size());
  PowerResult result;
  while (result.iterations < limits.iterations && !result.converged) {
    backend.copy(z, x);
    if (column_weight != nullptr) backend.multiply(*column_weight, x);  // x = C z
    const double square = backend.dot(z, x);
    if (!(square > 0)) return result;
    A.forward(x, y, views);  // y = A x
    if (row_weight != nullptr) {
      backend.copy(y, weighted);
      backend.multiply(*row_weight, weighted);  // R y
    }
    const Array& ray_sums = row_weight != nullptr ? weighted : y;
    const double eigenvalue = backend.dot(y, ray_sums) / square;
    A.adjoint(ray_sums, x,
              views);  // z' = A^T R y, scaled so that floats neither overflow nor vanish
    ++result.iterations;
    result.converged = eigenvalue - result.eigenvalue <= limits.tolerance * eigenvalue;
    result.eigenvalue = eigenvalue;
    const double norm = std::sqrt(backend.dot(x, x));
    if (!(norm > 0)) return result;
    backend.axpby(static_cast<float>(1 / norm), x, 0, z);
  }
  return result;
}

double eigenvalue_bound(const LinearOperator& A, ViewSubset views, const Array* row_weight) {
  constexpr double margin = 1.02;
  constexpr PowerLimits limits{.iterations = 20, .tolerance = 1e-3};
  return margin * largest_eigenvalue(A, views, nullptr, row_weight, limits).eigenvalue;
}

double operator_norm_square(const LinearOperator& A, int iterations) {
  return largest_eigenvalue(A, nullptr, nullptr, {.iterations = iterations}).eigenvalue;
}

}  // namespace gantry
