#include "core/solvers/column_norms.hpp"

#include "core/physics/philox.hpp"

#include <vector>

namespace gantry {

double mean_column_square(const LinearOperator& A, const Array* weights) {
  Backend& backend = A.backend();
  std::vector<float> signs(A.domain_size());
  for (std::size_t j = 0; j < signs.size(); ++j)
    signs[j] = RandomStream(2, j).uniform() < 0.5 ? -1.0F : 1.0F;
  const Array s = Array::from(backend, signs);
  Array y(backend, A.range_size());
  A.forward(s, y);
  if (weights == nullptr) return backend.dot(y, y) / static_cast<double>(A.domain_size());
  Array weighted = y.clone();
  backend.multiply(*weights, weighted);
  return backend.dot(y, weighted) / static_cast<double>(A.domain_size());
}

}  // namespace gantry
