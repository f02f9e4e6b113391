#pragma once

#include "core/priors/prior.hpp"

namespace gantry {

/// The proximal map of the priors R(x) = sum_j h(|(grad x)_j|) with h(t) = t - edge / 2 above the
/// edge and t^2 / (2 edge) below it: total variation where the edge is 0, Huber's function of the
/// gradient's magnitude otherwise. R is the maximum of <p, grad x> - edge / 2 |p|^2 over all p with
/// |p_j| <= 1. The fast gradient projection of Beck and Teboulle, IEEE Trans. Image Process. 18
/// (2009) 2419, section 4, maximises this dual problem:
///   z = max(v + w div p, low),
///   p <- P(r + s (grad max(v + w div r, low) - edge r)),   s = 1 / (w |grad|^2 + edge),
/// with r the extrapolation from the last two p, P the projection onto |p_j| <= 1, and w the task's
/// weight. Each backend implements the passes over the image.
class DualProjection : public Prior {
 public:
  /// `edge` in the unit of the image, 1/mm.
  DualProjection(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid, double edge);

 private:
  std::size_t do_dual_size() const final { return dual_size_; }
  void do_proximal(const ProximalTask& task, Array& dual, Array& x) final;
  /// Sets z = max(v + w div p, low).
  virtual void primal(const ProximalTask& task, const Array& p, Array& z) const = 0;
  /// Sets p' = P(keep r + step grad z), r = p' + momentum (p' - p), p = p'.
  virtual void ascend(const Array& z, float step, float keep, float momentum, Array& p,
                      Array& r) const = 0;

  Backend& backend_;
  std::size_t dual_size_;
  double edge_;
  double norm_square_;  // a bound of |grad|^2
  Array extrapolated_;  // r; allocated by the first task
};

}  // namespace gantry
