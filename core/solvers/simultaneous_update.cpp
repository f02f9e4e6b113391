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
  const UpdateNorms norms =
      A().gradient_update(x_, b(), {row, scaling_.column, 1.0F, low}, residual_, gradient_);
  StepReport report;
  report.residual_norm = std::sqrt(norms.residual_square);
  report.update_norm = std::sqrt(norms.update_square);
  return report;
}

}  // namespace gantry
