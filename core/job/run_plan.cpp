#include "core/job/run_plan.hpp"

#include "core/base/error.hpp"
#include "core/projector_choice.hpp"

namespace gantry {

namespace {

std::size_t estimate_bytes(const RunSpec& run, const Solver& solver, const Projector& projector) {
  const SolverMemory memory = solver.memory();
  const int ray_sets = memory.ray_sets + 1 +  // b, and A x of a rule on the residual
                       (stop_rules(run, 1, 0).ask_for_residual() ? 1 : 0) +
                       (run.weights != RayWeights::none ? 2 : 0);  // and what they weight
  const std::size_t vectors = static_cast<std::size_t>(memory.images) * projector.domain_size() +
                              static_cast<std::size_t>(ray_sets) * projector.range_size();
  return vectors * sizeof(float) + projector.workspace_bytes();
}

/// Whether the method can use the projector.
bool suits(const Solver& solver, const Projector& projector) {
  return (projector.matched() || !solver.needs_matched_pair()) &&
         (projector.gives_single_weights() || !solver.needs_single_weights());
}

/// Refuses a projector that the method cannot use, naming those for this scan that it can:
/// "distance_driven, siddon".
void require_suitable(const RunSpec& run, const RunPlan& plan, const Catalog& catalog) {
  const Solver& solver = *plan.solver;
  const Projector& projector = *plan.projector;
  if (suits(solver, projector)) return;
  const std::string keys = projectors_that(
      catalog, plan.backend_key, *plan.backend, projector.shared_geometry(), projector.grid(),
      [&](const Projector& other) { return suits(solver, other); });
  const bool pair = solver.needs_matched_pair() && !projector.matched();
  throw UsageError(
      run.solver + " needs a projector " +
          (pair ? "whose backprojection is its exact transpose" : "that gives its single weights") +
          "; " + run.projector + " is none",
      "projector", keys.empty() ? "use backend cpu" : "use one of " + keys);
}

/// What is asked about a run, without the devices.
struct Question {
  const RunSpec& run;
  const std::shared_ptr<const ScanGeometry>& geometry;
  const VolumeGrid& grid;
  const Catalog& catalog;
};

RunPlan plan_on(const Question& q, const std::string& key, Backend& backend) {
  RunPlan plan;
  plan.backend_key = key;
  plan.backend = &backend;
  plan.solver = q.catalog.solvers.make(q.run.solver, key, q.run.solver_params);
  plan.projector = q.catalog.projectors.make(q.run.projector, key, backend, q.geometry, q.grid,
                                             q.run.projector_params);
  require_suitable(q.run, plan, q.catalog);
  plan.needed_bytes = estimate_bytes(q.run, *plan.solver, *plan.projector);
  plan.free_bytes = backend.free_bytes();
  return plan;
}

/// A plan for this device, or none and why.
RunPlan try_on(const Question& q, const BackendList::Entry& device) {
  RunPlan plan;
  if (device.backend->lost()) {
    plan.because = device.name + " was lost to an error; restart the program to use it again";
  } else if (!q.catalog.projectors.has(q.run.projector, device.key)) {
    plan.because = device.name + " does not run the projector " + q.run.projector;
  } else if (!q.catalog.solvers.has(q.run.solver, device.key)) {
    plan.because = device.name + " does not run the solver " + q.run.solver;
  } else {
    try {
      plan = plan_on(q, device.key, *device.backend);
      if (plan.needed_bytes <= plan.free_bytes) {
        plan.because = "the run fits on it";
        return plan;
      }
      const std::string needed = format_bytes(plan.needed_bytes);
      plan.because = device.name + " has " + format_bytes(plan.free_bytes) + " free of the " +
                     needed + " that it needs";
    } catch (const Error& error) {
      plan.because = device.name + " cannot run it: " + error.what();
    }
  }
  plan.backend = nullptr;
  return plan;
}

}  // namespace

StopRules stop_rules(const RunSpec& run, int iterations, double noise_norm) {
  return {iterations, run.relative_update, run.relative_residual, run.discrepancy, noise_norm};
}

RunPlan plan_run(const RunSpec& run, std::shared_ptr<const ScanGeometry> geometry,
                 const VolumeGrid& grid, const Catalog& catalog, const BackendList& backends) {
  const Question q{run, geometry, grid, catalog};
  std::string why_not;
  if (run.backend == "auto")
    for (const BackendList::Entry* device : backends.devices()) {
      RunPlan plan = try_on(q, *device);
      if (plan.backend != nullptr) return plan;
      if (why_not.empty()) why_not = plan.because;
    }
  RunPlan plan = plan_on(q, backends.resolved_key(run.backend), backends.resolve(run.backend));
  plan.because = why_not;
  return plan;
}

}  // namespace gantry
