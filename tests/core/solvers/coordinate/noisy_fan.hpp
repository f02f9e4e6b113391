#pragma once

#include "core/backend/cpu_backend.hpp"
#include "core/catalog/catalog.hpp"
#include "tests/support/penalties.hpp"
#include "tests/support/scans.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace gantry::test {

/// A small fan-beam scan with noise on the CPU, for tests of coordinate descent.
class NoisyFan {
 public:
  NoisyFan() {
    add_core(catalog_);
    A_ = catalog_.projectors.make("separable_footprint", "cpu", backend_,
                                  share(fan_spec(25, 40, 3)), grid_, {});
    b_ = Array(backend_, A_->range_size());
    A_->forward(Array::from(backend_, random_values(grid_.voxels(), 1, 0.01F, 0.03F)), b_);
    backend_.axpby(1, Array::from(backend_, random_values(b_.size(), 2, -0.03F, 0.03F)), 1, b_);
    w_ = Array::from(backend_, random_values(b_.size(), 3, 0.2F, 1));
  }

 protected:
  /// An empty key makes no penalty.
  Problem problem(const std::string& prior, bool weighted) {
    Problem made{.A = A_.get(), .b = &b_, .weights = weighted ? &w_ : nullptr};
    if (!prior.empty()) made.penalty = penalties_.make(prior, *A_);
    return made;
  }
  double residual_norm(const Array& x) {
    Array r(backend_, A_->range_size());
    A_->forward(x, r);
    return std::sqrt(backend_.residual(b_, r, nullptr));
  }

  Catalog catalog_;
  CpuBackend backend_;
  Penalties penalties_{catalog_, "cpu"};
  const VolumeGrid grid_ = VolumeGrid::centered(24, 20, 1, {2, 2, 2});
  std::unique_ptr<Projector> A_;
  Array b_, w_;
};

}  // namespace gantry::test
