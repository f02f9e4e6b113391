#include "core/matrix/single_weights.hpp"

#include "core/matrix/matrix_format.hpp"

namespace gantry {

const LinearOperator& operator_of_single_weights(const LinearOperator& A) {
  const auto* stored = dynamic_cast<const StoredMatrix*>(&A);
  if (stored == nullptr || stored->rounding() <= stored->weights().rounding()) return A;
  return stored->weights();
}

}  // namespace gantry
