#include "core/solvers/solver.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/operator/column_access.hpp"
#include "core/operator/row_access.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

SolverFamilyText describe(SolverFamily family) {
  switch (family) {
    case SolverFamily::none:
      break;
    case SolverFamily::direct:
      return {"Direct", "filtered backprojection in one step"};
    case SolverFamily::simultaneous:
      return {"SIRT family", "averaged corrections of all rays or of subsets of the views"};
    case SolverFamily::krylov:
      return {"Krylov", "least squares by conjugate gradients"};
    case SolverFamily::statistical:
      return {"Statistical", "likelihood of the counts"};
    case SolverFamily::regularised:
      return {"Regularised", "fit to the data and a prior on the image"};
    case SolverFamily::row_and_column:
      return {"Row and column action", "one ray or one voxel after another"};
  }
  return {};
}

std::string describe(const RelaxationRange& range) {
  TextStream text;
  text.precision(3);
  const std::string unit = range.unit.empty() ? "" : " " + range.unit;
  text << "λ = " << range.value << unit << ", converges below " << range.bound << unit;
  if (!range.origin.empty()) text << " = " << range.origin;
  return text.str();
}

void Solver::check_weights(const Problem& problem) const {
  if (!traits_.uses_ray_weights)
    throw UsageError("this solver does not weight rays", "weights",
                     "choose one that does, or give none");
  if (problem.weights->size() != problem.A->range_size())
    throw ShapeError("solver: there are " + std::to_string(problem.weights->size()) +
                     " weights for " + std::to_string(problem.A->range_size()) + " rays");
  const std::vector<float> weights = problem.weights->to_host();
  if (!std::ranges::all_of(weights, [](float w) { return w >= 0 && std::isfinite(w); }))
    throw UsageError("a weight of a ray is negative or not finite", "weights", "use 0 or more");
}

void Solver::init(const Problem& problem) {
  if (problem.A == nullptr || problem.b == nullptr)
    throw ShapeError("solver: operator or data are missing");
  if (problem.b->size() != problem.A->range_size())
    throw ShapeError("solver: data have " + std::to_string(problem.b->size()) +
                     " values, the operator " + std::to_string(problem.A->range_size()) + " rays");
  if (problem.x0 != nullptr && problem.x0->size() != problem.A->domain_size())
    throw ShapeError("solver: the start image does not fit the operator's grid");
  if (traits_.needs_exact_pair && !problem.A->matched() && !problem.insists_on_pair)
    throw UsageError("this solver needs a projector whose backprojection is its exact transpose",
                     "projector",
                     "choose a projector that is an exact pair, such as distance_driven or siddon");
  if (traits_.needs_rows) require_rows(*problem.A);
  if (traits_.needs_columns) require_columns(*problem.A);
  if (traits_.needs_row_norms) require_row_norms(*problem.A);
  if (problem.weights != nullptr) check_weights(problem);
  if (problem.penalty.prior != nullptr && !traits_.takes(problem.penalty.prior->traits()))
    throw UsageError("this solver cannot work with this prior", "prior",
                     traits_.prior == PriorUse::none ? "use none"
                     : traits_.prior == PriorUse::gradient
                         ? "use a prior with a gradient, such as qggmrf or huber"
                         : "use a prior with a proximal map, such as tv or huber");
  problem_ = problem;
  x_ = image();
  set_to_initial_image(x_);
  do_init();
}

void Solver::set_to_initial_image(Array& x) const {
  if (started())
    backend().copy(*problem_.x0, x);
  else
    backend().fill(x, 0.0F);
}

StepReport Solver::step() {
  if (problem_.A == nullptr) throw ShapeError("solver: step before init");
  return do_step();
}

}  // namespace gantry
