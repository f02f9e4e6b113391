#include "core/solvers/sirt_family/simultaneous_update.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gantry {

void SimultaneousUpdate::do_init() {
  residual_ = Array();  // of an earlier problem, before init asks for memory
  gradient_ = Array();
  scaling_ = method_.scale(A());
  const GradientRoom room = A().gradient_room();
  if (room.rays) residual_ = rays();
  if (room.image) gradient_ = image();
}

SolverMemory SimultaneousUpdate::memory(const LinearOperator& A) const {
  const GradientRoom room = A.gradient_room();
  return {std::max(method_.scaling.images, room.image ? 3 : 2),
          std::max(method_.scaling.ray_sets, (method_.weights_rays ? 1 : 0) + (room.rays ? 1 : 0)),
          room.workspace_bytes};
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
