#include "core/solvers/penalised/proximal_step.hpp"

#include <limits>
#include <utility>

namespace gantry {

void ProximalStep::init(const LinearOperator& A, Prior* prior) {
  A_ = &A;
  prior_ = prior;
  dual_ = prior != nullptr ? Array::filled(A.backend(), prior->dual_size(), 0) : Array();
  trial_ = prior != nullptr ? Array(A.backend(), prior->dual_size()) : Array();
}

void ProximalStep::restart() {
  if (!dual_.empty()) A_->backend().fill(dual_, 0);
}

void ProximalStep::compute(const Array& v, double weight, float low, int iterations, Array& z) {
  Backend& backend = A_->backend();
  is_new_ = prior_ != nullptr && weight > 0;
  if (!is_new_) {
    backend.copy(v, z);
    backend.clamp(z, low, std::numeric_limits<float>::infinity());
    return;
  }
  backend.copy(dual_, trial_);
  prior_->proximal({v, weight, low, iterations, [this] { A_->check_interrupt(); }}, trial_, z);
}

void ProximalStep::accept() {
  if (is_new_) std::swap(dual_, trial_);
}

}  // namespace gantry
