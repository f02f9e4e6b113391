#include "core/solvers/penalty.hpp"

#include "core/physics/philox.hpp"

#include <cmath>
#include <sstream>
#include <vector>

namespace gantry {

namespace {

/// Returns the root mean square of W^(1/2) b.
double root_mean_square(const Array& b, const Array* weights) {
  Backend& backend = b.backend();
  const auto count = static_cast<double>(b.size());
  if (weights == nullptr) return std::sqrt(backend.dot(b, b) / count);
  Array weighted = b.clone();
  backend.multiply(*weights, weighted);
  return std::sqrt(backend.dot(b, weighted) / count);
}

}  // namespace

double penalty_weight(const LinearOperator& A, const Array& b, const Array* weights,
                      const Penalty& penalty) {
  if (penalty.prior == nullptr || !(penalty.weight > 0)) return 0;
  if (penalty.absolute) return penalty.weight;
  const double square = mean_column_square(A, weights);
  return penalty.prior->traits().degree == 1
             ? penalty.weight * root_mean_square(b, weights) * std::sqrt(square)
             : penalty.weight * square;
}

std::string describe_penalty_weight(double lambda, const Prior* prior) {
  if (prior == nullptr || !(lambda > 0)) return {};
  std::ostringstream text;
  text.precision(4);
  text << "the prior counts with λ = " << lambda << (prior->traits().degree == 1 ? " mm" : " mm²");
  return text.str();
}

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
