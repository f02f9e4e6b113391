#include "core/solvers/penalised/primal_dual.hpp"

#include "core/solvers/power_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr double balance = 50;
constexpr double sigma = 1 / balance;
constexpr int inner_iterations = 6;  // of the proximal map, which starts where it ended before

}  // namespace

PrimalDual::PrimalDual(const LinearOperator& A, ViewSubset views, Prior* prior)
    : A_(A), views_(views), tau_(0) {
  Backend& backend = A.backend();
  const double norm_square = eigenvalue_bound(A, views, nullptr);
  if (norm_square > 0) tau_ = balance / norm_square;
  for (Array* rays : {&q_, &product_, &ahead_, &trial_q_, &trial_product_})
    *rays = Array::filled(backend, A.range_size(), 0);  // zero in the views that are left out
  for (Array* image : {&gradient_, &z_}) *image = Array(backend, A.domain_size());
  proximal_.init(A, prior);
}

void PrimalDual::set_weights(const Array& weights, double scale) {
  std::vector<float> shrink = weights.to_host();
  // Weights of 1 give the bits that a run without weights gives.
  if (std::ranges::all_of(shrink, [scale](float w) { return scale * w == 1; })) return;
  weights_ = &weights;
  weight_scale_ = scale;
  for (float& w : shrink) w = static_cast<float>(scale * w / (scale * w + sigma));
  shrink_ = Array::from(A_.backend(), shrink);
}

void PrimalDual::start(const Array& x) {
  A_.backend().fill(q_, 0);
  proximal_.restart();
  continue_at(x);
}

void PrimalDual::continue_at(const Array& x) {
  A_.forward(x, product_, views_);
  A_.backend().copy(product_, ahead_);
}

double PrimalDual::step(const BoundedTask& task, Array& x) {
  Backend& backend = A_.backend();
  // Rays of weight 1 are shrunk by the sums themselves.
  const auto keep = static_cast<float>(shrink_.empty() ? 1 / (1 + sigma) : 1),
             gain = static_cast<float>(sigma * keep);
  backend.copy(q_, trial_q_);
  backend.axpby(gain, ahead_, keep, trial_q_);
  backend.axpby(-gain, *task.data, 1, trial_q_);
  if (!shrink_.empty()) backend.multiply(shrink_, trial_q_);
  A_.adjoint(trial_q_, gradient_, views_);
  const double pull = tau_ * task.two_level;
  backend.axpby(static_cast<float>(1 + 2 * pull), x, static_cast<float>(-tau_), gradient_);
  if (pull > 0) {
    backend.fill(z_, static_cast<float>(pull * task.high));
    backend.axpby(-1, z_, 1, gradient_);
  }
  proximal_.compute(gradient_, tau_ * task.lambda, 0, inner_iterations, z_);
  backend.clamp(z_, 0, task.high);
  A_.forward(z_, trial_product_, views_);
  // Nothing below can be interrupted.
  std::swap(q_, trial_q_);
  proximal_.accept();
  backend.copy(trial_product_, ahead_);
  backend.axpby(-1, product_, 2, ahead_);
  std::swap(product_, trial_product_);
  std::swap(x, z_);
  return std::sqrt(backend.axpby_norm(1, x, -1, z_));
}

double PrimalDual::residual_norm(const Array& target) {
  A_.backend().copy(product_, trial_q_);
  return std::sqrt(A_.backend().residual(target, trial_q_, nullptr));
}

double PrimalDual::weighted_norm(const Array& target) {
  if (weights_ == nullptr) return residual_norm(target);
  A_.backend().copy(product_, trial_q_);
  A_.backend().axpby(1, target, -1, trial_q_);
  return std::sqrt(weight_scale_ * A_.backend().weighted_square(*weights_, trial_q_));
}

double PrimalDual::between_levels(const Array& x, float high) {
  // x (h - x) = h^2 / 4 - (x - h / 2)^2
  A_.backend().fill(z_, high / 2);
  const double square = A_.backend().axpby_norm(1, x, -1, z_), half = 0.5 * high;
  return static_cast<double>(x.size()) * half * half - square;
}

void PrimalDual::carry(CarriedState& state) {
  for (Array* array : {&q_, &product_, &ahead_, &proximal_.dual()}) state.arrays.push_back(array);
}

}  // namespace gantry
