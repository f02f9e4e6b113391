#include "core/solvers/sirt_family/simultaneous_update.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gantry {

void SimultaneousUpdate::do_init() {
  step_ = nullptr;  // free the step of an earlier problem before init allocates
  column_weight_ = {};
  Scaling scaling = method_.scale(A());
  column_weight_ = std::move(scaling.column);
  range_ = std::move(scaling.range);
  step_ = make_gradient_step(A());
  if (!scaling.row.empty()) step_->scale_rows(std::move(scaling.row));
}

SolverMemory SimultaneousUpdate::memory(const OperatorMemory& A) const {
  const StepWorkspace& step = A.gradient_step;
  return {std::max(method_.scaling.images, 2 + step.images),
          std::max(method_.scaling.ray_vectors, (method_.weights_rays ? 1 : 0) + step.ray_vectors),
          step.bytes};
}

StepReport SimultaneousUpdate::do_step() {
  const float low = method_.nonnegative ? 0.0F : -std::numeric_limits<float>::infinity();
  const UpdateNorms norms = step_->apply(x_, b(), column_weight_, {1.0F, low});
  StepReport report;
  report.residual_norm = std::sqrt(norms.residual_square);
  report.update_norm = std::sqrt(norms.update_square);
  return report;
}

}  // namespace gantry
