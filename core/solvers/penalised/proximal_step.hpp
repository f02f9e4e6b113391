#pragma once

#include "core/operator/linear_operator.hpp"
#include "core/priors/prior.hpp"

namespace gantry {

/// The proximal map of a prior within the steps of a method, each continued from the dual vector of
/// the step before.
class ProximalStep {
 public:
  /// `prior` null: none. References must outlive the object.
  void init(const LinearOperator& A, Prior* prior);
  /// Forgets the dual vector, for a new start.
  void restart();

  /// Sets z to argmin_z 1/2 ||z - v||^2 + weight R(z) subject to z >= low, approximately, by so
  /// many iterations; without prior or weight to max(v, low). Leaves the dual vector as it is until
  /// accept(), so that a step that is interrupted can be repeated. Throws Interrupted.
  void compute(const Array& v, double weight, float low, int iterations, Array& z);
  /// Takes over the dual vector of the last compute().
  void accept();

  /// The dual vector, for carried states; empty without a prior.
  Array& dual() { return dual_; }

 private:
  const LinearOperator* A_ = nullptr;
  Prior* prior_ = nullptr;
  bool is_new_ = false;  // the last compute() made a dual vector
  Array dual_, trial_;   // of the last accepted step; scratch
};

}  // namespace gantry
