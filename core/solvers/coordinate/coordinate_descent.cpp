#include "core/solvers/coordinate/coordinate_descent.hpp"

#include "core/solvers/iterate_residual.hpp"
#include "core/solvers/penalty.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gantry {

CoordinateStart coordinate_start(const Params& params, FilteredSumMaker make_sum) {
  CoordinateStart start;
  start.filtered = params.text("start") == "fbp";
  start.relaxation = params.real("relaxation");
  start.nonnegative = params.flag("nonnegative");
  start.make_sum = std::move(make_sum);
  return start;
}

std::vector<std::string> CoordinateDescent::notes() const {
  std::vector<std::string> notes = penalty_notes(lambda_, penalty().prior, started_from_zero_);
  if (backend().kind() == BackendKind::cpu && start_.worker != ColumnWorker::automatic)
    notes.push_back("worker has no effect on the CPU");
  if (columns_ != nullptr && columns_->gains_from_storing())
    notes.push_back(
        "the columns of the matrix are computed anew in every pass; stored in the format CSR they "
        "are read several times as fast, where there is memory for them");
  if (unseen_ > 0)
    notes.push_back(
        std::to_string(unseen_) +
        (unseen_ == 1 ? " voxel is weighed by no ray: " : " voxels are weighed by no ray: ") +
        (lambda_ > 0 ? "the prior alone tells their values" : "they keep the values of the start"));
  return notes;
}

std::optional<Objective> CoordinateDescent::objective() const {
  return objective_of(residual_, residual_norm_, weights(), lambda_, penalty().prior, x_);
}

CarriedState CoordinateDescent::carried() {
  CarriedState state{{&x_, &residual_}, {&done_, &residual_norm_}};
  carry_edges(lambda_ > 0 ? penalty().prior : nullptr, state);
  return state;
}

void CoordinateDescent::begin(int stride) {
  columns_ = nullptr;  // free those of an earlier problem before others are made
  columns_ = make_columns(A(), start_.worker);
  // Neighbours have a term of the prior in common, and are of different colours from stride 2 on.
  colours_ = voxel_colours(columns_->grid(), std::max(2, stride));
  lambda_ = penalty_weight(A(), b(), weights(), penalty());
  residual_ = rays();
  slope_ = lambda_ > 0 ? image() : Array();
  bend_ = lambda_ > 0 ? image() : Array();
}

void CoordinateDescent::begin_residual() {
  started_from_zero_ = false;
  if (!started() && start_.filtered)
    started_from_zero_ = !filtered_start(A(), b(), start_.make_sum, x_);
  backend().clamp(x_, low(), std::numeric_limits<float>::infinity());
  residual_norm_ = iterate_residual(traits(), A(), b(), x_, residual_);
  if (lambda_ > 0) prior().start_edges(x_);
  done_ = 0;
}

void CoordinateDescent::begin_step() {
  A().check_interrupt();
  if (lambda_ > 0) prior().gradient_at(x_, colour(), slope_, bend_);
}

StepReport CoordinateDescent::end_step(double square) {
  const std::int64_t steps = steps_per_iteration();
  A().count_applications(2.0 / static_cast<double>(steps));
  ++done_;
  if (lambda_ > 0 && done_ % steps == 0) prior().adapt_edges(x_);
  StepReport report;
  report.residual_norm = residual_norm_;
  report.uses_all_rays = true;
  report.update_norm = std::sqrt(square);
  report.new_residual_norm = residual_norm_ = std::sqrt(backend().dot(residual_, residual_));
  return report;
}

CoordinateStep CoordinateDescent::step_of(const Array& curvature, bool bend) const {
  const bool penalised = lambda_ > 0;
  return {.residual = residual_,
          .weights = weights(),
          .curvature = curvature,
          .slope = penalised ? &slope_ : nullptr,
          .bend = penalised && bend ? &bend_ : nullptr,
          .lambda = static_cast<float>(lambda_),
          .relaxation = static_cast<float>(start_.relaxation),
          .low = low()};
}

void CoordinateDescent::compute_squares(Array& curvature) {
  for (const VoxelLattice& colour : colours_) {
    A().check_interrupt();
    columns_->squares(weights(), colour, curvature);
  }
  A().count_applications(1);
  count_unseen(curvature);
}

void CoordinateDescent::count_unseen(const Array& curvature) {
  const std::vector<float> copy =
      curvature.backend().kind() == BackendKind::cpu ? std::vector<float>() : curvature.to_host();
  unseen_ =
      std::ranges::count(copy.empty() ? curvature.host() : std::span<const float>(copy), 0.0F);
}

}  // namespace gantry
