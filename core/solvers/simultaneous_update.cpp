#include "core/solvers/simultaneous_update.hpp"

#include <cmath>
#include <limits>

namespace gantry {

void SimultaneousUpdate::do_init() {
  residual_ = Array();  // of an earlier problem, before init asks for memory
  gradient_ = Array();
  scaling_ = method_.scale(A());
  residual_ = rays();
  gradient_ = image();
}

StepReport SimultaneousUpdate::do_step() {
  const Array* row = scaling_.row.empty() ? nullptr : &scaling_.row;
  const float low = method_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  StepReport report;
  report.residual_norm = std::sqrt(A().residual_adjoint(x_, b(), row, residual_, gradient_,
                                                        A().all()));  // g = A^T R (b - A x)
  report.update_norm =
      std::sqrt(backend().scaled_update(x_, 1.0F, scaling_.column, gradient_, low));  // x += D g
  return report;
}

}  // namespace gantry
