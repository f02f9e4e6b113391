#include "core/solvers/sirt_family/cimmino.hpp"

#include "core/operator/row_norms.hpp"
#include "core/solvers/common_params.hpp"
#include "core/solvers/power_iteration.hpp"

namespace gantry {

namespace {

using Scaling = SimultaneousUpdate::Scaling;

Array row_weights(const LinearOperator& A) {
  return inverse_squared_row_norms(require_row_norms(A));
}

Scaling cav_scaling(const LinearOperator& A, double lambda) {
  const Projector& projector = require_row_norms(A);
  return {Array::filled(A.backend(), A.domain_size(), static_cast<float>(lambda)),
          inverse_squared_row_norms(projector, column_counts(projector)),
          {lambda, 2, {}, {}}};
}

Scaling drop_scaling(const LinearOperator& A, double lambda) {
  const Projector& projector = require_row_norms(A);
  const std::vector<std::uint32_t> counts = column_counts(projector);
  std::vector<float> column(counts.size());
  for (std::size_t j = 0; j < counts.size(); ++j)
    column[j] = counts[j] > 0 ? static_cast<float>(lambda / counts[j]) : 0.0F;
  return {
      Array::from(A.backend(), column), inverse_squared_row_norms(projector), {lambda, 2, {}, {}}};
}

std::unique_ptr<Solver> make(const Params& params, SolverMemory scaling,
                             std::function<Scaling(const LinearOperator&)> scale) {
  SimultaneousUpdate::Method method;
  method.scale = std::move(scale);
  method.nonnegative = params.flag("nonnegative");
  method.traits = cimmino_traits;
  method.scaling = scaling;
  return std::make_unique<SimultaneousUpdate>(std::move(method));
}

}  // namespace

Scaling averaged_projections(const LinearOperator& A, Array row, double relaxation,
                             bool as_printed) {
  const auto rays = static_cast<double>(A.range_size());
  const double s = largest_eigenvalue(A, nullptr, &row).eigenvalue;
  const double half_bound = s > 0 ? rays / s : 0;  // M / s; 0 if no ray hits the volume
  const double lambda = relaxation * (as_printed ? 1 : half_bound);
  return {Array::filled(A.backend(), A.domain_size(), static_cast<float>(lambda / rays)),
          std::move(row),
          {lambda, 2 * half_bound, {}, "2M/s"}};
}

Scaling cimmino_scaling(const LinearOperator& A, double lambda) {
  return averaged_projections(A, row_weights(A), lambda, true);
}

std::vector<ParamSpec> cimmino_params() {
  return {simultaneous_relaxation_param("Step in the unit below."),
          {.key = "unit",
           .label = "Unit of λ",
           .unit = "",
           .fallback = std::string("bound"),
           .choices = {"bound", "printed"},
           .help = "bound: λ is multiplied by M/s, with s the largest eigenvalue of Aᵀ R A (power "
                   "iteration at the start). printed: λ/M as published; there values of some "
                   "hundreds converge, and 1 is very slow."},
          nonnegative_param()};
}

std::unique_ptr<Solver> make_cimmino(const Params& params) {
  const double relaxation = params.real("relaxation");
  const bool as_printed = params.text("unit") == "printed";
  return make(params, {3, 3}, [=](const LinearOperator& A) {
    return averaged_projections(A, row_weights(A), relaxation, as_printed);
  });
}

std::vector<ParamSpec> cav_params() {
  return {simultaneous_relaxation_param("λ as published."), nonnegative_param()};
}

std::unique_ptr<Solver> make_cav(const Params& params) {
  return make(params, {2, 1}, [lambda = params.real("relaxation")](const LinearOperator& A) {
    return cav_scaling(A, lambda);
  });
}

std::vector<ParamSpec> drop_params() { return cav_params(); }

std::unique_ptr<Solver> make_drop(const Params& params) {
  return make(params, {2, 1}, [lambda = params.real("relaxation")](const LinearOperator& A) {
    return drop_scaling(A, lambda);
  });
}

}  // namespace gantry
