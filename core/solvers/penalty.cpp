#include "core/solvers/penalty.hpp"

#include "core/base/text_stream.hpp"
#include "core/solvers/automatic_weight.hpp"
#include "core/solvers/random_vector.hpp"

#include <cmath>
#include <utility>
#include <vector>

namespace gantry {

namespace {

/// Returns y^T W y, with W = diag(weights), or the identity if null.
double weighted_square(const Array& y, const Array* weights) {
  Backend& backend = y.backend();
  return weights == nullptr ? backend.dot(y, y) : backend.weighted_square(*weights, y);
}

/// Returns the root mean square of W^(1/2) b.
double root_mean_square(const Array& b, const Array* weights) {
  return std::sqrt(weighted_square(b, weights) / static_cast<double>(b.size()));
}

}  // namespace

double penalty_weight(const LinearOperator& A, const Array& b, const Array* weights,
                      const Penalty& penalty) {
  if (penalty.prior == nullptr) return 0;
  if (penalty.scale == PenaltyScale::automatic) return automatic_weight(A, b, weights, penalty);
  if (!(penalty.weight > 0)) return 0;
  if (penalty.scale == PenaltyScale::absolute) return penalty.weight;
  const double square = mean_column_square(A, weights);
  return penalty.prior->traits().degree == 1
             ? penalty.weight * root_mean_square(b, weights) * std::sqrt(square)
             : penalty.weight * square;
}

Objective objective_of(const Array& residual, double residual_norm, const Array* weights,
                       double lambda, const Prior* prior, const Array& x) {
  const double square =
      weights == nullptr ? residual_norm * residual_norm : weighted_square(residual, weights);
  return {0.5 * square, lambda > 0 ? lambda * prior->value(x) : 0};
}

std::string describe_penalty_weight(double lambda, const Prior* prior) {
  if (prior == nullptr || !(lambda > 0)) return {};
  TextStream text;
  text.precision(4);
  text << "the prior counts with λ = " << lambda << (prior->traits().degree == 1 ? " mm" : " mm²");
  return text.str();
}

std::vector<std::string> penalty_notes(double lambda, const Prior* prior, bool started_from_zero) {
  std::vector<std::string> notes;
  if (std::string weight = describe_penalty_weight(lambda, prior); !weight.empty())
    notes.push_back(std::move(weight));
  if (started_from_zero)
    notes.emplace_back("started from zero: this scan has no filtered backprojection");
  return notes;
}

double mean_column_square(const LinearOperator& A, const Array* weights) {
  Backend& backend = A.backend();
  const Array signs =
      random_vector(backend, A.domain_size(), 2, [](double u) { return u < 0.5 ? -1 : 1; });
  Array y(backend, A.range_size());
  A.forward(signs, y);
  return weighted_square(y, weights) / static_cast<double>(A.domain_size());
}

}  // namespace gantry
