#pragma once

#include "core/priors/prior.hpp"
#include "core/solvers/carried_state.hpp"
#include "core/solvers/penalised/proximal_step.hpp"

namespace gantry {

/// What PrimalDual minimises over images with 0 <= x <= high:
///   1/2 ||A x - data||^2_W + lambda R(x) + two_level sum_j x_j (high - x_j)
struct BoundedTask {
  const Array* data = nullptr;
  double lambda = 0, two_level = 0;
  float high = 0;  ///< may be infinite if two_level is 0
};

/// The primal-dual method of Chambolle and Pock (J. Math. Imaging Vis. 40 (2011) 120, algorithm 1),
/// with the data term in the dual variable q and R in the proximal map:
///   q <- w (q + sigma (A y - data)) / (w + sigma), with w the weight of each ray
///   x' = prox_{tau (lambda R)}(x - tau (A^T q + two_level (high - 2 x))), cut to [0, high]
///   y  = 2 x' - x,   sigma = 1 / balance,   tau = balance / ||A||^2
/// A balance above 1 moves the image far where the data say little, as in the missing wedge of a
/// limited angle, where a gradient step of length 1 / ||A||^2 would need thousands of iterations.
/// Cutting after the proximal map of R is exact for total variation, whose level sets are
/// independent of each other. The two-level term is concave and enters by its gradient.
class PrimalDual {
 public:
  /// `prior`: R; null: none. Uses some views of A only; the data of the others must be 0. ||A||^2
  /// of these comes from a power iteration. Throws Interrupted.
  PrimalDual(const LinearOperator& A, ViewSubset views, Prior* prior);

  /// Sets the weights of the rays to scale x weights, which must outlive the object; without this
  /// call they are 1.
  void set_weights(const Array& weights, double scale);
  /// Begins at x, which lies in its bounds, with q = 0.
  void start(const Array& x);
  /// Begins at x, keeping q and the prior's dual vector of a similar task.
  void continue_at(const Array& x);
  /// Makes a step and returns ||x_new - x||. Throws Interrupted with x and the state unchanged.
  double step(const BoundedTask& task, Array& x);

  const Array& product() const { return product_; }  ///< A x
  /// Returns ||target - A x||; target must be 0 in the views that are left out.
  double residual_norm(const Array& target);
  /// Returns the same norm with the weights of the rays.
  double weighted_norm(const Array& target);
  /// Returns sum_j x_j (high - x_j), which is 0 where every voxel is 0 or high. high is finite.
  double between_levels(const Array& x, float high);
  void carry(CarriedState& state);

  static constexpr int images = 2 + 3 * 3;  ///< dual vectors count as three images each
  static constexpr int ray_vectors = 5;     ///< one more with weights

 private:
  const LinearOperator& A_;
  ViewSubset views_;
  double tau_;
  const Array* weights_ = nullptr;  // null: w is 1
  double weight_scale_ = 1;
  Array shrink_;               // w / (w + sigma)
  Array q_, product_, ahead_;  // q, A x and A y
  ProximalStep proximal_;
  Array gradient_, z_, trial_q_, trial_product_;  // scratch
};

}  // namespace gantry
