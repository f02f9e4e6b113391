#include "core/solvers/iterate_residual.hpp"

#include "core/matrix/single_weights.hpp"

#include <cmath>

namespace gantry {

namespace {

const LinearOperator& operator_of(const SolverTraits& method, const LinearOperator& A) {
  return method.needs_rows || method.needs_columns ? operator_of_single_weights(A) : A;
}

}  // namespace

double iterate_residual(const SolverTraits& method, const LinearOperator& A, const Array& b,
                        const Array& x, Array& r) {
  const LinearOperator& of_method = operator_of(method, A);
  of_method.forward(x, r);
  if (&of_method != &A) {
    A.check_interrupt();
    A.count_applications(1);
  }
  return std::sqrt(A.backend().residual(b, r, nullptr));
}

std::string single_weights_note(const SolverTraits& method, const LinearOperator& A) {
  if (&operator_of(method, A) == &A) return {};
  return "the method reads single weights, in float32, and its residual is that of these; the half "
         "precision of the format has no effect on it";
}

}  // namespace gantry
